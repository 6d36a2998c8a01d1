// Projections of multipliers onto what their laws allow, with derivatives. A law holds if lambda = P(lambda - rho u)
// for any rho > 0. The cone is not projected upon as a whole: first the normal part, then the tangent on the disc that
// belongs to it (Alart and Curnier), which is Coulomb's law without a shift.
#pragma once

#include "cardan/solve/law_problem.hpp"

#include <algorithm>

namespace cardan {

using Block3 = Eigen::Vector3d;  // of shorter blocks the first entries, the others zero
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

/// R of the rows of a block: friction stays rigid.
inline Block3 compliance(const LawBlock& block) {
  if (block.law == Law::at_least) return Block3::Constant(block.compliance);
  return {block.law == Law::cone ? block.compliance : 0.0, 0.0, 0.0};
}

inline Block3 project_ball(double radius, const Block3& y) {
  const double length = y.norm();
  return length > radius ? Block3(radius / length * y) : y;
}

/// Derivative of project_ball of a radius that rests, for the first `size` rows.
inline Block33 ball_slope(double radius, const Block3& y, int size) {
  Block33 D = Block33::Zero();
  for (int k = 0; k < size; ++k) D(k, k) = 1.0;
  const double length = y.norm();
  if (length <= radius) return D;
  const Block3 e = y / length;
  D -= e * e.transpose();
  D *= radius / length;
  return D;
}

/// Derivative of the projection on what is not negative, for the first `size` rows.
inline Block33 positive_slope(const Block3& y, int size) {
  Block33 D = Block33::Zero();
  for (int k = 0; k < size; ++k) D(k, k) = y[k] > 0.0 ? 1.0 : 0.0;
  return D;
}

/// Projects y onto what the law of a block allows; `radius` is that of a ball.
inline Block3 project(const LawBlock& block, double radius, const Block3& y) {
  if (block.law == Law::cone) return project_cone(block.bound, y);
  if (block.law == Law::at_least) return y.cwiseMax(0.0);
  return project_ball(radius, y);
}
/// The same where no ball grows with a load.
inline Block3 project(const LawBlock& block, const Block3& y) { return project(block, block.bound, y); }

/// Derivative of project.
inline Block33 slope(const LawBlock& block, double radius, const Block3& y) {
  if (block.law == Law::cone) return cone_slope(block.bound, y);
  if (block.law == Law::at_least) return positive_slope(y, block.size);
  return ball_slope(radius, y, block.size);
}
inline Block33 slope(const LawBlock& block, const Block3& y) { return slope(block, block.bound, y); }

/// The mode that y belongs to. Of cones and balls 0: open, 1: stick, 2: slip; of at_least a bit for each closed row.
/// 0 means that no multiplier answers.
inline int mode(const LawBlock& block, const Block3& y) {
  if (block.law == Law::cone) return !(y[0] > 0.0) ? 0 : y.tail<2>().norm() > block.bound * y[0] ? 2 : 1;
  if (block.law == Law::ball) return y.norm() > block.bound ? 2 : 1;
  int out = 0;
  for (int row = 0; row < block.size; ++row) out |= (y[row] > 0.0 ? 1 : 0) << row;
  return out;
}

/// Measures by how much a block misses its law: d |lambda - P(lambda - (u + R lambda)/d)| [m/s], d its response.
inline double law_error(const LawBlock& block, double d, double radius, const Block3& lambda, const Block3& u) {
  const Block3 y = lambda - (u + compliance(block).cwiseProduct(lambda)) / d;
  return d * (lambda - project(block, radius, y)).norm();
}

/// What a vector over all rows has for a block, and back.
inline Block3 get_block(const Eigen::VectorXd& rows, const LawBlock& block) {
  Block3 out = Block3::Zero();
  for (int k = 0; k < block.size; ++k) out[k] = rows[block.first + k];
  return out;
}
inline void set_block(const LawBlock& block, const Block3& x, Eigen::VectorXd& rows) {
  for (int k = 0; k < block.size; ++k) rows[block.first + k] = x[k];
}

}  // namespace cardan
