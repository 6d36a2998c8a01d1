// A number with its derivatives in N (2, 4 or 8) directions: running an algorithm on Dual<N> gives N directional
// derivatives, exact to rounding. Like every scalar it has no comparison; select_less chooses by the values.
#pragma once

#include "cardan/math/pack.hpp"

namespace cardan {

template <int N>
struct Dual {
  double value = 0.0;
  double d[N] = {};

  Dual() = default;
  CARDAN_INLINE explicit Dual(double v) : value(v) {}
  /// An independent variable: its derivative is one in this direction.
  static CARDAN_INLINE Dual variable(double v, int direction) {
    Dual out(v);
    out.d[direction] = 1.0;
    return out;
  }

  CARDAN_INLINE friend Dual operator+(const Dual& a, const Dual& b) {
    return combine(a.value + b.value, 1.0, a, 1.0, b);
  }
  CARDAN_INLINE friend Dual operator-(const Dual& a, const Dual& b) {
    return combine(a.value - b.value, 1.0, a, -1.0, b);
  }
  CARDAN_INLINE friend Dual operator*(const Dual& a, const Dual& b) {
    return combine(a.value * b.value, b.value, a, a.value, b);
  }
  CARDAN_INLINE friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.value, quotient = a.value * inverse;
    return combine(quotient, inverse, a, -(quotient * inverse), b);
  }
  CARDAN_INLINE friend Dual operator-(const Dual& a) { return chain(-a.value, -1.0, a); }
  CARDAN_INLINE Dual& operator+=(const Dual& o) { return *this = *this + o; }
  CARDAN_INLINE Dual& operator-=(const Dual& o) { return *this = *this - o; }

  CARDAN_INLINE friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return chain(root, 0.5 / root, a);
  }
  friend Dual sin(const Dual& a) { return chain(std::sin(a.value), std::cos(a.value), a); }
  friend Dual cos(const Dual& a) { return chain(std::cos(a.value), -std::sin(a.value), a); }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value);
    return chain(e, e, a);
  }
  friend Dual log(const Dual& a) { return chain(std::log(a.value), 1.0 / a.value, a); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double inverse = 1.0 / (x.value * x.value + y.value * y.value);
    return combine(std::atan2(y.value, x.value), x.value * inverse, y, -(y.value * inverse), x);
  }
  /// The exponent is a constant. Has a slope at zero where exp(b log(a)) has none.
  friend Dual pow(const Dual& a, const Dual& b) {
    return chain(std::pow(a.value, b.value), b.value * std::pow(a.value, b.value - 1.0), a);
  }
  CARDAN_INLINE friend Dual select_less(const Dual& a, const Dual& b, const Dual& if_less, const Dual& otherwise) {
    return a.value < b.value ? if_less : otherwise;
  }

 private:
  // as packs, because loops over the directions are unrolled too late and take six times as long to compile
  using Directions = Pack<double, N>;

  /// A function of one number with this value and slope.
  static CARDAN_INLINE Dual chain(double value, double slope, const Dual& a) {
    Dual out(value);
    (Directions(slope) * Directions::load(a.d)).store(out.d);
    return out;
  }
  static CARDAN_INLINE Dual combine(double value, double slope_a, const Dual& a, double slope_b, const Dual& b) {
    Dual out(value);
    (Directions(slope_a) * Directions::load(a.d) + Directions(slope_b) * Directions::load(b.d)).store(out.d);
    return out;
  }
};

static_assert(Scalar<Dual<2>> && Scalar<Dual<8>>);

/// The dual numbers that elements run on: forces and constraints are differentiated in eight directions at once.
using Dual8 = Dual<8>;

/// The number itself, without its derivatives.
inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace cardan
