// A scalar that counts what is done to it, for checking operation counts such as the book's Table A.4. It has no
// comparison operators, so an algorithm that compiles with it does not compare.
#pragma once

#include "cardan/math/scalar.hpp"

namespace cardan {

/// A subtraction is an addition; changing a sign, copying and select_less are free.
struct OperationCount {
  long multiplications = 0;
  long additions = 0;
  long divisions = 0;
  long square_roots = 0;
  long trigonometric = 0;  // exp and log too

  friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

template <class T = double>
struct Counted {
  T value{};

  Counted() = default;
  CARDAN_INLINE explicit Counted(double v) : value(T(v)) {}

  /// What this thread has done with Counted<T> since the last reset().
  static CARDAN_INLINE OperationCount& count() { return count_; }
  static CARDAN_INLINE void reset() { count_ = OperationCount{}; }

  CARDAN_INLINE friend Counted operator+(const Counted& a, const Counted& b) {
    ++count_.additions;
    return raw(a.value + b.value);
  }
  CARDAN_INLINE friend Counted operator-(const Counted& a, const Counted& b) {
    ++count_.additions;
    return raw(a.value - b.value);
  }
  CARDAN_INLINE friend Counted operator*(const Counted& a, const Counted& b) {
    ++count_.multiplications;
    return raw(a.value * b.value);
  }
  CARDAN_INLINE friend Counted operator/(const Counted& a, const Counted& b) {
    ++count_.divisions;
    return raw(a.value / b.value);
  }
  CARDAN_INLINE friend Counted operator-(const Counted& a) { return raw(-a.value); }
  CARDAN_INLINE Counted& operator+=(const Counted& o) { return *this = *this + o; }
  CARDAN_INLINE Counted& operator-=(const Counted& o) { return *this = *this - o; }
  CARDAN_INLINE Counted& operator*=(const Counted& o) { return *this = *this * o; }
  CARDAN_INLINE Counted& operator/=(const Counted& o) { return *this = *this / o; }

  friend Counted sqrt(const Counted& a) {
    ++count_.square_roots;
    return raw(std::sqrt(a.value));
  }
  friend Counted sin(const Counted& a) {
    ++count_.trigonometric;
    return raw(std::sin(a.value));
  }
  friend Counted cos(const Counted& a) {
    ++count_.trigonometric;
    return raw(std::cos(a.value));
  }
  friend Counted exp(const Counted& a) {
    ++count_.trigonometric;
    return raw(std::exp(a.value));
  }
  friend Counted log(const Counted& a) {
    ++count_.trigonometric;
    return raw(std::log(a.value));
  }
  friend Counted atan2(const Counted& y, const Counted& x) {
    ++count_.trigonometric;
    return raw(std::atan2(y.value, x.value));
  }
  friend Counted pow(const Counted& a, const Counted& b) {
    ++count_.trigonometric;
    return raw(std::pow(a.value, b.value));
  }
  CARDAN_INLINE friend Counted select_less(const Counted& a, const Counted& b, const Counted& if_less,
                                           const Counted& otherwise) {
    return a.value < b.value ? if_less : otherwise;
  }

 private:
  static CARDAN_INLINE Counted raw(T v) {
    Counted out;
    out.value = v;
    return out;
  }

  static inline thread_local OperationCount count_{};
};

static_assert(Scalar<Counted<double>> && Scalar<Counted<float>>);

}  // namespace cardan
