// The curves of muscle models, normalized. De Groote and Fregly (2016) with OpenSim's constants, smooth everywhere:
//   f_L(x) = sum_i b1 exp(-(x' - b2)^2 / (2 (b3 + b4 x')^2)),  x' = (x - 1)/scale + 1      active force by fiber length
//   f_V(v) = d1 asinh(d2 v + d3) + d4                                                       by shortening speed
//   f_P(x) = (exp(4 (x - 1)/e0) - c) / (exp(4) - c),  c = exp(4 (0.2 - 1)/e0)               passive force
//   f_T(y) = 0.2 exp(kT (y - 1)) - 0.2,  kT = ln(6)/eT                                      tendon force by its length
// and the piecewise cubic ones of Sueda's notes (1.40 to 1.46; 1.8 in (1.41) read as 1.7), continuous with slope.
#pragma once

#include "cardan/math/scalar.hpp"

#include <cmath>

namespace cardan::muscle {

/// A scalar that exp() takes without becoming infinite.
template <class T>
T bounded_exponent(const T& x) {
  return select_less(x, T(300.0), x, T(300.0));
}

template <class T>
T active_length(const T& x, double scale) {
  constexpr double b[3][4] = {{0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465},
                              {0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188},
                              {0.1, 1.0, 0.353553390593274, 0.0}};
  const T y = (x - T(1.0)) / T(scale) + T(1.0);
  T sum(0.0);
  for (const double* c : b) {
    const T r = (y - T(c[1])) / (T(c[2]) + T(c[3]) * y);
    sum = sum + T(c[0]) * exp(T(-0.5) * r * r);
  }
  return sum;
}

inline constexpr double kSpeed[] = {-0.3211346127989808, -8.149, -0.374, 0.8825327733249912};

template <class T>
T speed_factor(const T& v) {
  const T u = T(kSpeed[1]) * v + T(kSpeed[2]);
  // asinh, whose argument has both signs, without cancellation
  const T size = select_less(u, T(0.0), -u, u), value = log(size + sqrt(u * u + T(1.0)));
  return T(kSpeed[0]) * select_less(u, T(0.0), -value, value) + T(kSpeed[3]);
}
/// The speed at which speed_factor has this value.
inline double speed_of_factor(double factor) {
  return (std::sinh((factor - kSpeed[3]) / kSpeed[0]) - kSpeed[2]) / kSpeed[1];
}

template <class T>
T passive_length(const T& x, double strain) {
  const double shift = std::exp(4.0 * (0.2 - 1.0) / strain);
  return (exp(bounded_exponent(T(4.0 / strain) * (x - T(1.0)))) - T(shift)) / T(std::exp(4.0) - shift);
}

/// tanh(x)/2, which changes sign with x to the last bit.
template <class T>
T half_tanh(const T& x) {
  using std::exp;
  const T size = select_less(x, T(0.0), -x, x), e = exp(T(-2.0) * size), value = T(0.5) * (T(1.0) - e) / (T(1.0) + e);
  return select_less(x, T(0.0), -value, value);
}

inline double tendon_stiffness(double strain) { return std::log(6.0) / strain; }
inline double tendon_force(double y, double strain) {
  return 0.2 * std::exp(tendon_stiffness(strain) * (y - 1.0)) - 0.2;
}
/// The normalized length at which the tendon force has this value.
template <class T>
T tendon_length(const T& force, double strain) {
  using std::log;
  return T(1.0) + log((force + T(0.2)) / T(0.2)) / T(tendon_stiffness(strain));
}

/// One cubic a x^3 + b x^2 + c x + d.
template <class T>
T cubic(const double* c, const T& x) {
  return ((T(c[0]) * x + T(c[1])) * x + T(c[2])) * x + T(c[3]);
}

template <class T>
T sueda_passive_length(const T& x) {
  constexpr double c[2][4] = {{2.553056200817, -7.023860286108134, 6.388551969765267, -1.9177478844741334},
                              {-2.7612228085390313, 14.658793504821329, -23.042953309216255, 11.374995055086256}};
  const T beyond = T(1.0) + T(2.85714285714286) * (x - T(1.7));
  const T inside = select_less(x, T(1.3), cubic(c[0], x), select_less(x, T(1.7), cubic(c[1], x), beyond));
  return select_less(x, T(1.0), T(0.0), inside);
}
template <class T>
T sueda_active_length(const T& x) {
  constexpr double c[3][4] = {{-39.88124794901425, 68.34432046125902, -35.532457353480375, 5.8302915363276195},
                              {-0.32267485325306666, -1.7174404695901866, 4.402905498939574, -1.36279017609632},
                              {4.851184608317988, -20.990879658908074, 28.308086679315547, -11.235684309524512}};
  const T inside = select_less(x, T(0.7), cubic(c[0], x), select_less(x, T(1.2), cubic(c[1], x), cubic(c[2], x)));
  return select_less(x, T(0.4), T(0.0), select_less(x, T(1.81), inside, T(0.0)));
}
template <class T>
T sueda_speed_factor(const T& v) {
  constexpr double c[3][4] = {{0.9152534738643785, 2.7457604215931357, 2.7457604215931357, 0.9152534738643785},
                              {-453.3333333333333, -8.78048780487805, 5.0, 1.0},
                              {0.26664864986600006, -0.7999459495980001, 0.7999459495980001, 1.133351350134}};
  const T inside = select_less(v, T(-0.05), cubic(c[0], v), select_less(v, T(0.05), cubic(c[1], v), cubic(c[2], v)));
  return select_less(v, T(-1.0), T(0.0), select_less(v, T(1.0), inside, T(1.4)));
}

}  // namespace cardan::muscle
