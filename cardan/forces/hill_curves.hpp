// The curves of Thelen (2003) and Millard et al. (2013) as OpenSim has them, normalized: x fiber length by the optimal
// one, y tendon length by its slack length, v fiber speed by v_max.
//   Thelen   f_L(x) = exp(-(x - 1)^2/width),   f_P(x) = (exp(k (x - 1)/e0) - 1)/(exp(k) - 1) for x > 1, else 0
//            f_T(y): with e = y - 1, exponential up to e_toe = 99 e^3 eT/(166 e^3 - 67), where it is 0.33, then linear
//            up to 1 at eT;  f_V(w) with w = v/(0.25 + 0.75 a):  (1 + w)/(1 - w/A) where fibers shorten,
//            (1 + k L w)/(1 + k w), k = (2 + 2/A)/(L - 1), where they lengthen, L the largest; in its tangents before
//            0 and beyond 0.95 L
//   Millard  quintic curves (quintic_curve.hpp) through the points that users of OpenSim give
#pragma once

#include "cardan/forces/quintic_curve.hpp"

#include <memory>
#include <optional>

namespace cardan::muscle {

struct ThelenShape {
  double active_width = 0.45, passive_exponent = 5.0, passive_strain = 0.6, tendon_strain = 0.04;
  double concentric = 0.25;  // A
  double eccentric = 1.4;    // L
  double threshold = 0.95;
};

template <class T>
T thelen_active(const ThelenShape& s, const T& x) {
  return exp(-((x - T(1.0)) * (x - T(1.0)) / T(s.active_width)));
}
template <class T>
T thelen_passive(const ThelenShape& s, const T& x) {
  const T power = T(s.passive_exponent / s.passive_strain) * (x - T(1.0));
  const T inside =
      (exp(select_less(power, T(300.0), power, T(300.0))) - T(1.0)) / T(std::exp(s.passive_exponent) - 1.0);
  return select_less(x, T(1.0), T(0.0), inside);
}
template <class T>
T thelen_tendon(const ThelenShape& s, const T& y) {
  const double e3 = std::exp(3.0), toe = 99.0 * s.tendon_strain * e3 / (166.0 * e3 - 67.0),
               stiffness = 0.67 / (s.tendon_strain - toe);
  const T e = y - T(1.0), power = T(3.0 / toe) * e;
  const T bent = T(0.33 / (e3 - 1.0)) * (exp(select_less(power, T(3.0), power, T(3.0))) - T(1.0));
  const T straight = T(stiffness) * (e - T(toe)) + T(0.33);
  return select_less(e, T(0.0), T(0.0), select_less(e, T(toe), bent, straight));
}
/// Of the speed w, by the activation.
template <class T>
T thelen_speed_factor(const ThelenShape& s, const T& w) {
  const double A = s.concentric, L = s.eccentric, k = (2.0 + 2.0 / A) / (L - 1.0);
  // where the curve goes over into its tangents: at factor 0, and at a part of the largest one
  const double top = s.threshold * L, w_top = (top - 1.0) / (k * (L - top)), root = 1.0 + k * w_top,
               slope_top = k * (L - 1.0) / (root * root), slope_low = 1.0 / (1.0 + 1.0 / A);
  const T shortening = (T(1.0) + w) / (T(1.0) - w / T(A)), lengthening = (T(1.0) + T(k * L) * w) / (T(1.0) + T(k) * w);
  const T low = T(slope_low) * (w + T(1.0)), high = T(top) + T(slope_top) * (w - T(w_top));
  return select_less(w, T(-1.0), low, select_less(w, T(0.0), shortening, select_less(w, T(w_top), lengthening, high)));
}
/// The speed w at which the factor has this value.
double thelen_speed_of_factor(const ThelenShape& s, double factor);

/// What users give of Millard's curves; lengths are normalized.
struct MillardShape {
  double active_range[3] = {0.4441, 0.73, 1.8123};  // where force begins, where it becomes flatter, where it ends
  double active_slope = 0.8616, least_active = 0.0;
  double speed_slopes[5] = {0.0, 0.25, 5.0, 0.15, 0.0};  // at -v_max, near it, at 0, near v_max, at v_max
  double speed_curviness[2] = {0.6, 0.9};                // where fibers shorten and lengthen
  double eccentric = 1.4;                                // force at v_max
  double passive_strains[2] = {0.0, 0.7};                // where force begins, where it is 1
  std::optional<std::array<double, 3>> passive_shape{};  // slopes at low and at unit force, curviness
  double tendon_strain = 0.049;
  std::optional<std::array<double, 3>> tendon_shape{};  // slope at unit force, force at the end of the toe, curviness
};

struct MillardCurves {
  /// Throws std::invalid_argument where the numbers make no curve. Without fiber damping the speed curve must have an
  /// inverse: its slopes at both ends are then at least half of those nearby.
  MillardCurves(const MillardShape& shape, bool is_damped);

  QuinticCurve active, speed, passive, tendon;
  std::optional<QuinticCurve> speed_inverse;  // without damping
};

}  // namespace cardan::muscle
