#include "cardan/joints/curve.hpp"

#include "cardan/joints/internal/polynomial.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <array>

namespace cardan {

Curve bezier_curve(const std::vector<Vec3<double>>& points) {
  std::array<std::vector<double>, 3> c;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> controls;
    for (const Vec3<double>& p : points) controls.push_back(p[static_cast<int>(k)]);
    c[k] = bezier_coefficients(controls);
  }
  return [c](Expr s) {
    const Expr t = s - Expr(0.5);
    return Vec3<Expr>{polynomial(c[0], t), polynomial(c[1], t), polynomial(c[2], t)};
  };
}

MotionProduct curve_frame(const Curve& curve, Expr s, const Vec3<double>& up) {
  const Vec3<Expr> p = curve(s), tangent = derivative(p, s);
  return frame_along(cross(Vec3<Expr>(up), tangent), tangent, p);
}

ExpressionJoint on_curve(const Curve& curve, const Spin& roll, const Vec3<double>& up) {
  ExpressionJoint out(
      1 + roll.coordinates(),
      [&](std::span<const Expr> q) { return curve_frame(curve, q[0], up) * roll.motion(q.subspan(1)); }, "on_curve");
  out.name_coordinates(roll.names({"s"}, "roll"));
  return out;
}

ExpressionJoint curve_on_curve(const Curve& a, const Curve& b, const Spin& roll, const Vec3<double>& up) {
  ExpressionJoint out(
      2 + roll.coordinates(),
      [&](std::span<const Expr> q) {
        return curve_frame(a, q[0], up) * roll.motion(q.subspan(2)) * inverse(curve_frame(b, q[1], up));
      },
      "curve");
  out.name_coordinates(roll.names({"s1", "s2"}, "roll"));
  return out;
}

ExpressionJoint curve_across_curve(const Curve& a, const Curve& b, const Vec3<double>& up) {
  ExpressionJoint out(
      5,
      [&](std::span<const Expr> q) {
        return curve_frame(a, q[0], up) * turn(0, q[2]) * turn(1, q[3]) * turn(2, q[4]) *
               inverse(curve_frame(b, q[1], up));
      },
      "curve");
  out.name_coordinates({"s1", "s2", "x", "y", "z"});
  return out;
}

}  // namespace cardan
