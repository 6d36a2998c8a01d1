// Projections of multipliers onto what their laws allow, with derivatives. A law holds if lambda = P(lambda - rho u) for
// any rho > 0. The cone is not projected upon as a whole: first the normal part, then the tangent on the disc that
// belongs to it (Alart and Curnier), which is Coulomb's law without a shift.
#pragma once

#include <Eigen/Dense>

#include <algorithm>

namespace cardan {

using Block3 = Eigen::Vector3d;     // the first entries of it, for shorter blocks
using Block33 = Eigen::Matrix3d;

inline Block3 project_cone(double mu, const Block3& y) {
  const double n = std::max(0.0, y[0]), radius = mu * n, t = y.tail<2>().norm();
  Block3 p(n, y[1], y[2]);
  if (t > radius) p.tail<2>() *= radius / t;
  return p;
}

/// Derivative of project_cone; not symmetric where the contact slips.
inline Block33 cone_slope(double mu, const Block3& y) {
  Block33 D = Block33::Zero();
  if (y[0] <= 0.0) return D;
  D(0, 0) = 1.0;
  const double radius = mu * y[0], t = y.tail<2>().norm();
  if (t <= radius) {
    D(1, 1) = D(2, 2) = 1.0;
    return D;
  }
  const Eigen::Vector2d e = y.tail<2>() / t;
  D.block<2, 2>(1, 1) = radius / t * (Eigen::Matrix2d::Identity() - e * e.transpose());
  D.block<2, 1>(1, 0) = mu * e;
  return D;
}

/// Scales the first `size` entries into the ball.
inline Block3 project_ball(double radius, Block3 y, int size) {
  const double length = y.head(size).norm();
  if (length > radius) y.head(size) *= radius / length;
  return y;
}

}  // namespace cardan
