// Curves in space and the joint that keeps a body on one.
#pragma once

#include "cardan/joints/expression.hpp"
#include "cardan/joints/spin.hpp"

#include <functional>
#include <vector>

namespace cardan {

/// A point as a function of one coordinate, written for expressions.
using Curve = std::function<Vec3<Expr>(Expr s)>;

/// One Bezier segment of degree points - 1, of 2 to 24 points; s runs from 0 to 1 and may run on.
Curve bezier_curve(const std::vector<Vec3<double>>& points);

/// Origin at the point, z along the tangent, x along up x z. Not defined where the tangent vanishes or is parallel
/// to `up`.
MotionProduct curve_frame(const Curve& curve, Expr s, const Vec3<double>& up = {0.0, 0.0, 1.0});

/// The child's frame is the curve's frame at s: q = (s), or (s, roll) with a free turn about the tangent.
ExpressionJoint on_curve(const Curve& curve, const Spin& roll = {}, const Vec3<double>& up = {0.0, 0.0, 1.0});

/// a on the parent and b on the child touch in a point with a common tangent, as cams do:
/// G = F_a(s1) rotz(roll) F_b(s2)^-1, q = (s1, s2), and the roll about the tangent if it is free.
ExpressionJoint curve_on_curve(const Curve& a, const Curve& b, const Spin& roll = {},
                               const Vec3<double>& up = {0.0, 0.0, 1.0});
/// a and b touch in a point and may turn about it in every way, as two wires that lie across each other:
/// G = F_a(s1) rotx(q2) roty(q3) rotz(q4) F_b(s2)^-1, q = (s1, s2, q2, q3, q4). Singular at q3 = +-pi/2.
ExpressionJoint curve_across_curve(const Curve& a, const Curve& b, const Vec3<double>& up = {0.0, 0.0, 1.0});

}  // namespace cardan
