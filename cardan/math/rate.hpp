// A number with its rate along one direction, over any scalar: Rate<double> gives a derivative by time, Rate<Rate<T>>
// the second one, and Rate<Dual<8>> the derivatives of a rate. Like every scalar it has no comparison; select_less
// chooses by the values.
#pragma once

#include "cardan/math/dual.hpp"
#include "cardan/math/stepwise.hpp"

namespace cardan {

template <class T>
struct Rate {
  T value = T(0.0), rate = T(0.0);

  Rate() = default;
  explicit Rate(double v) : value(static_cast<T>(v)) {}
  explicit Rate(const T& v) requires(!std::same_as<T, double>) : value(v) {}
  Rate(const T& v, const T& r) : value(v), rate(r) {}

  friend Rate operator+(const Rate& a, const Rate& b) { return {a.value + b.value, a.rate + b.rate}; }
  friend Rate operator-(const Rate& a, const Rate& b) { return {a.value - b.value, a.rate - b.rate}; }
  friend Rate operator*(const Rate& a, const Rate& b) {
    return {a.value * b.value, a.rate * b.value + a.value * b.rate};
  }
  friend Rate operator/(const Rate& a, const Rate& b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.rate - quotient * b.rate) / b.value};
  }
  friend Rate operator-(const Rate& a) { return {-a.value, -a.rate}; }
  Rate& operator+=(const Rate& o) { return *this = *this + o; }
  Rate& operator-=(const Rate& o) { return *this = *this - o; }

  friend Rate sqrt(const Rate& a) {
    using std::sqrt;
    const T root = sqrt(a.value);
    return {root, T(0.5) * a.rate / root};
  }
  friend Rate sin(const Rate& a) {
    using std::cos, std::sin;
    return {sin(a.value), cos(a.value) * a.rate};
  }
  friend Rate cos(const Rate& a) {
    using std::cos, std::sin;
    return {cos(a.value), -(sin(a.value) * a.rate)};
  }
  friend Rate exp(const Rate& a) {
    using std::exp;
    const T e = exp(a.value);
    return {e, e * a.rate};
  }
  friend Rate log(const Rate& a) {
    using std::log;
    return {log(a.value), a.rate / a.value};
  }
  friend Rate atan2(const Rate& y, const Rate& x) {
    using std::atan2;
    return {atan2(y.value, x.value), (x.value * y.rate - y.value * x.rate) / (x.value * x.value + y.value * y.value)};
  }
  /// The exponent is a constant.
  friend Rate pow(const Rate& a, const Rate& b) {
    using std::pow;
    return {pow(a.value, b.value), b.value * pow(a.value, b.value - T(1.0)) * a.rate};
  }
  friend Rate select_less(const Rate& a, const Rate& b, const Rate& if_less, const Rate& otherwise) {
    return {select_less(a.value, b.value, if_less.value, otherwise.value),
            select_less(a.value, b.value, if_less.rate, otherwise.rate)};
  }
};

template <class T, class Function>
Rate<T> stepwise(const Rate<T>& x, const Function& function) {
  return Rate<T>(function(constant_of(x)));
}
template <class T>
double constant_of(const Rate<T>& x) {
  return constant_of(x.value);
}

}  // namespace cardan
