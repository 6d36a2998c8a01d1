#include "cardan/forces/hill_curves.hpp"

#include <algorithm>
#include <cmath>

namespace cardan::muscle {

namespace {

/// OpenSim's range of curviness: its 0 is a bend of a tenth, its 1 one of nine tenths.
double bend(double curviness) { return 0.1 + 0.8 * curviness; }

QuinticCurve active_curve(const MillardShape& s) {
  const double x0 = s.active_range[0], x1 = s.active_range[1], x2 = 1.0, x3 = s.active_range[2], shoulder = 0.05 * x2;
  const double xs = x2 - shoulder, y1 = 1.0 - s.active_slope * (xs - x1);
  const double x01 = 0.5 * (x0 + x1), y01 = 0.5 * y1, steep = 1.25 * y1 / (x1 - x0);
  const double x1s = 0.5 * (x1 + xs), y1s = 0.5 * (y1 + 1.0);
  const double x23 = 0.5 * (x2 + shoulder + x3), fall = -1.0 / ((x3 - shoulder) - (x2 + shoulder));
  return QuinticCurve({{x0, s.least_active, 0.0},
                       {x01, y01, steep},
                       {x1s, y1s, s.active_slope},
                       {x2, 1.0, 0.0},
                       {x23, 0.5, fall},
                       {x3, s.least_active, 0.0}},
                      std::vector<double>(5, bend(1.0)));
}

QuinticCurve speed_curve(const MillardShape& s, bool is_damped) {
  const double near_C = s.speed_slopes[1], near_E = s.speed_slopes[3];
  const double at_C = is_damped ? s.speed_slopes[0] : std::max(s.speed_slopes[0], 0.5 * near_C),
               at_E = is_damped ? s.speed_slopes[4] : std::max(s.speed_slopes[4], 0.5 * near_E);
  const double c = bend(s.speed_curviness[0]), e = bend(s.speed_curviness[1]);
  return QuinticCurve({{-1.0, 0.0, at_C},
                       {-0.9, 0.05 * (near_C + at_C), near_C},
                       {0.0, 1.0, s.speed_slopes[2]},
                       {0.9, s.eccentric - 0.05 * (near_E + at_E), near_E},
                       {1.0, s.eccentric, at_E}},
                      {c, c, e, e});
}

QuinticCurve passive_curve(const MillardShape& s) {
  const double e0 = s.passive_strains[0], e1 = s.passive_strains[1];
  const std::array<double, 3> shape = s.passive_shape.value_or(std::array<double, 3>{0.2, 2.0 / (e1 - e0), 0.75});
  const double x0 = 1.0 + e0, x1 = 1.0 + e1, dx = std::min(0.1 / shape[1], 0.1 * (x1 - x0)), c = bend(shape[2]);
  return QuinticCurve({{x0, 0.0, 0.0}, {x0 + dx, 0.5 * shape[0] * dx, shape[0]}, {x1, 1.0, shape[1]}}, {c, c});
}

QuinticCurve tendon_curve(const MillardShape& s) {
  const std::array<double, 3> shape =
      s.tendon_shape.value_or(std::array<double, 3>{1.375 / s.tendon_strain, 2.0 / 3.0, 0.5});
  const double k = shape[0], toe = shape[1], c = bend(shape[2]), x1 = 1.0 + s.tendon_strain;
  const double x_toe = (toe - 1.0) / k + x1, foot = 1.0 + 0.1 * (x_toe - 1.0);
  const double x_mid = (0.5 * toe - 1.0) / k + x1, slope = 0.5 * toe / (x_mid - foot);
  const double x_bend = 0.5 * (foot + x_mid);
  return QuinticCurve({{1.0, 0.0, 0.0}, {x_bend, slope * (x_bend - foot), slope}, {x_toe, toe, k}}, {c, c});
}

}  // namespace

double thelen_speed_of_factor(const ThelenShape& s, double factor) {
  const double A = s.concentric, L = s.eccentric, k = (2.0 + 2.0 / A) / (L - 1.0), top = s.threshold * L;
  if (factor <= 0.0) return factor * (1.0 + 1.0 / A) - 1.0;
  if (factor <= 1.0) return (factor - 1.0) / (1.0 + factor / A);
  const double w_top = (top - 1.0) / (k * (L - top)), root = 1.0 + k * w_top;
  if (factor < top) return (factor - 1.0) / (k * (L - factor));
  return w_top + (factor - top) * root * root / (k * (L - 1.0));
}

MillardCurves::MillardCurves(const MillardShape& shape, bool is_damped)
    : active(active_curve(shape)),
      speed(speed_curve(shape, is_damped)),
      passive(passive_curve(shape)),
      tendon(tendon_curve(shape)) {
  if (!is_damped) speed_inverse = speed.inverse();
}

}  // namespace cardan::muscle
