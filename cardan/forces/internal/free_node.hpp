// The node of a path between two surfaces that follow one another without a point between them.
#pragma once

#include "cardan/forces/path.hpp"

#include <Eigen/Dense>

namespace cardan::detail {

/// Solves H dx = g, H the second derivative of the length by the node's place. Along the straight line through the node
/// the length does not change; H is made regular there without moving the node along it.
inline Vec3<double> solve_at_free_node(const PathShape::Segment& first, const PathShape::Segment& second,
                                       const Vec3<double>& g) {
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  const Eigen::Vector3d n(second.g_a[0], second.g_a[1], second.g_a[2]);
  const auto add = [&](const PathShape::Segment& segment, const Mat3<double>& own, const Vec3<double>& along) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        H(i, j) += segment.wrap ? own(i, j) : ((i == j ? 1.0 : 0.0) - along[i] * along[j]) / segment.length;
  };
  add(first, first.H_bb, first.g_b);
  add(second, second.H_aa, second.g_a);
  H += n * n.transpose() / (first.length + second.length);
  const Eigen::Vector3d x = H.partialPivLu().solve(Eigen::Vector3d(g[0], g[1], g[2]));
  return {x[0], x[1], x[2]};
}

}  // namespace cardan::detail
