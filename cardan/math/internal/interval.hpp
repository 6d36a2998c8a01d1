// Interval arithmetic: an enclosure of all values that an expression takes while its input runs through an interval.
// Good to rounding, which is enough to look for jumps and narrow pulses: no proof hangs on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cardan {

struct Interval {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double lower = 0.0, upper = 0.0;

  Interval() = default;
  explicit Interval(double x) : Interval(x, x) {}
  /// What is not a number may be any.
  Interval(double from, double to)
      : lower(std::isnan(from) ? -kInfinity : from), upper(std::isnan(to) ? kInfinity : to) {}

  static Interval everything() { return {-kInfinity, kInfinity}; }
  double width() const { return upper - lower; }
  double magnitude() const { return std::max(std::abs(lower), std::abs(upper)); }

  void operator+=(const Interval& b) { *this = {lower + b.lower, upper + b.upper}; }
  void operator-=(const Interval& b) { *this = {lower - b.upper, upper - b.lower}; }
};

/// The smallest interval that holds both.
inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

inline Interval operator+(Interval a, const Interval& b) {
  a += b;
  return a;
}
inline Interval operator-(Interval a, const Interval& b) {
  a -= b;
  return a;
}
inline Interval operator-(const Interval& a) { return {-a.upper, -a.lower}; }
/// A product; that of a number with itself (the same object) is no less than zero.
inline Interval operator*(const Interval& a, const Interval& b) {
  const auto product = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };  // 0 * infinity is 0 here
  const double p[] = {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower),
                      product(a.upper, b.upper)};
  const double least = *std::min_element(p, p + 4), most = *std::max_element(p, p + 4);
  return {&a == &b ? std::max(least, 0.0) : least, most};
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.lower <= 0.0 && b.upper >= 0.0) return Interval::everything();
  return a * Interval(1.0 / b.upper, 1.0 / b.lower);
}

inline Interval sqrt(const Interval& a) {
  return {std::sqrt(std::max(a.lower, 0.0)), std::sqrt(std::max(a.upper, 0.0))};
}
inline Interval exp(const Interval& a) { return {std::exp(a.lower), std::exp(a.upper)}; }
inline Interval log(const Interval& a) { return {std::log(std::max(a.lower, 0.0)), std::log(std::max(a.upper, 0.0))}; }

/// Encloses a cosine: its ends, and the extremes at multiples of pi in between.
inline Interval cos(const Interval& a) {
  constexpr double pi = std::numbers::pi;
  if (!(a.width() < 2.0 * pi)) return {-1.0, 1.0};
  const double first = std::cos(a.lower), last = std::cos(a.upper);
  Interval out(std::min(first, last), std::max(first, last));
  for (double k = std::ceil(a.lower / pi); k * pi <= a.upper; ++k) {
    const double extreme = std::fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
    out = hull(out, Interval(extreme));
  }
  return out;
}
inline Interval sin(const Interval& a) { return cos(a - Interval(0.5 * std::numbers::pi)); }

/// Encloses an angle: monotone in both arguments where the box stays clear of the cut; else any angle.
inline Interval atan2(const Interval& y, const Interval& x) {
  if (x.lower <= 0.0 && y.lower <= 0.0 && y.upper >= 0.0) return {-std::numbers::pi, std::numbers::pi};
  const double p[] = {std::atan2(y.lower, x.lower), std::atan2(y.lower, x.upper), std::atan2(y.upper, x.lower),
                      std::atan2(y.upper, x.upper)};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

/// The exponent is a constant that is no whole number, so that the base is not negative.
inline Interval pow(const Interval& a, const Interval& b) {
  const double p = std::pow(std::max(a.lower, 0.0), b.lower), q = std::pow(std::max(a.upper, 0.0), b.lower);
  return {std::min(p, q), std::max(p, q)};
}

inline Interval select_less(const Interval& a, const Interval& b, const Interval& if_less, const Interval& otherwise) {
  if (a.upper < b.lower) return if_less;
  if (a.lower >= b.upper) return otherwise;
  return hull(if_less, otherwise);
}

/// Encloses a function that is constant but for steps: monotone, or one of whole numbers.
template <class Function>
Interval stepwise(const Interval& a, const Function& function) {
  constexpr double kMostSteps = 1000.0;
  if (!(a.width() <= kMostSteps)) return Interval::everything();
  Interval out = hull(Interval(function(a.lower)), Interval(function(a.upper)));
  for (double k = std::ceil(a.lower); k < a.upper; ++k) out = hull(out, Interval(function(k)));
  return out;
}
inline double constant_of(const Interval& a) { return a.lower; }

}  // namespace cardan
