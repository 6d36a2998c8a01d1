// Surfaces, the joint that keeps a body on one, and the joint of two surfaces that touch.
#pragma once

#include "cardan/joints/expression.hpp"
#include "cardan/joints/spin.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace cardan {

/// A chart of an ellipsoid: which axis of the body its poles lie on, z as the scene has it.
struct EllipsoidChart {
  Vec3<double> half;
  int pole = 2;
};

/// The frame at (u, v): origin at the point, z along the normal point_u x point_v, x along point_u. Written for
/// expressions.
struct Surface {
  std::function<MotionProduct(Expr u, Expr v)> frame;
  std::optional<EllipsoidChart> ellipsoid{};  // of those whose poles can be moved

  MotionProduct operator()(Expr u, Expr v) const { return frame(u, v); }
};

/// (r cos v cos u, r cos v sin u, r sin v), z outward. The poles v = +-pi/2 are singular: u loses its meaning. A joint
/// whose spin is free goes on in a chart with other poles before it comes there.
Surface sphere_surface(double radius);
/// (a cos v cos u, b cos v sin u, c sin v), likewise.
Surface ellipsoid_surface(double a, double b, double c);
/// ((R + r cos v) cos u, (R + r cos v) sin u, r sin v), z outward. No singular point while r < R.
Surface torus_surface(double major, double minor);
/// A tensor product of Bezier segments, control points by rows (first index u), 2 to 24 each way; u, v from 0
/// to 1.
Surface bezier_surface(const std::vector<std::vector<Vec3<double>>>& points);
/// Any point as a function of u and v; not defined where its two derivatives are parallel.
Surface point_surface(std::function<Vec3<Expr>(Expr u, Expr v)> point);

/// The child's frame is the surface's at (u, v): q = (u, v), or (u, v, spin) with a free turn about the normal.
ExpressionJoint on_surface(const Surface& surface, const Spin& spin = {});

/// a on the parent and b on the child touch with opposite normals:
/// G = F_a(u1, v1) rotz(psi) diag(1, -1, -1) F_b(u2, v2)^-1, q = (u1, v1, u2, v2), and psi if the spin is free.
ExpressionJoint surface_on_surface(const Surface& a, const Surface& b, const Spin& spin = {});

}  // namespace cardan
