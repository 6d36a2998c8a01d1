// Rotations of bodies over one step of a variational integrator, in two ways: FullTurn up to half a revolution, for
// numbers; ShortTurn by series alone, for any scalar, as long as no body turns by more than kLongest.
#pragma once

#include "cardan/math/so3.hpp"

#include <cmath>

namespace cardan {

/// Coefficients of exp(phi) = 1 + c1 [phi]x + c2 [phi]x^2 and of its integral 1 + c2 [phi]x + c3 [phi]x^2.
template <class T>
struct ExpCoefficients {
  T c1, c2, c3;
};
/// kappa of dexp^-1(phi) = 1 - [phi]x / 2 + kappa [phi]x^2, and slope = 2 dkappa/dt, at t = phi^2.
template <class T>
struct KappaAndSlope {
  T kappa, slope;
};

struct FullTurn {
  static ExpCoefficients<double> exp_coefficients(double t) {
    const detail::Stumpff<double> s(t);
    return {s.c1, s.c2, s.c3};
  }
  /// Computes log(1 + E) from axial = (E - E')/2 as a vector, and the trace of E.
  static Vec3<double> log(const Vec3<double>& axial, double trace) {
    const double sine = norm(axial), theta = std::atan2(sine, 1.0 + 0.5 * trace);
    return sine > 1e-8 ? (theta / sine) * axial : axial;
  }
  static KappaAndSlope<double> kappa(double t) {
    const detail::Stumpff<double> s(t);
    return {s.k1(), s.k1_slope()};
  }
  /// Least cosine of a turn.
  static constexpr double kLeastCosine = -0.99;
};

struct ShortTurn {
  template <class T>
  static ExpCoefficients<T> exp_coefficients(const T& t) {
    return {detail::horner(detail::stumpff_series<1, 8>(), t), detail::horner(detail::stumpff_series<2, 8>(), t),
            detail::horner(detail::stumpff_series<3, 8>(), t)};
  }
  /// By tan(theta/4) = sin(theta/2) / (1 + cos(theta/2)), whose arc tangent converges fastest.
  template <class T>
  static Vec3<T> log(const Vec3<T>& axial, const T& trace) {
    const T cosine = T(0.5) * sqrt(T(4.0) + trace);  // of half the angle
    const Vec3<T> y = (T(0.5) / (cosine * (T(1.0) + cosine))) * axial;
    return (T(4.0) * detail::horner(detail::atan_series<11>(), dot(y, y))) * y;
  }
  template <class T>
  static KappaAndSlope<T> kappa(const T& t) {
    // |B_2k| / (2k)! of the Bernoulli numbers
    constexpr std::array<double, 10> c{1.0 / 12.0,
                                       1.0 / 720.0,
                                       1.0 / 30240.0,
                                       1.0 / 1209600.0,
                                       1.0 / 47900160.0,
                                       691.0 / 1307674368000.0,
                                       1.0 / 74724249600.0,
                                       3617.0 / 10670622842880000.0,
                                       43867.0 / 5109094217170944000.0,
                                       174611.0 / 802857662698291200000.0};
    constexpr auto slope = [&] {
      std::array<double, 9> out{};
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = 2.0 * static_cast<double>(k + 1) * c[k + 1];
      return out;
    }();
    return {detail::horner(c, t), detail::horner(slope, t)};
  }
  static constexpr double kLongest = 0.8;             // rad
  static constexpr double kLeastCosine = 0.69670671;  // of kLongest
};

}  // namespace cardan
