// What a pair of solids gives: where they are nearest, or how deep they overlap.
#pragma once

#include "cardan/collision/feature.hpp"
#include "cardan/spatial/se3.hpp"

#include <cstdint>

namespace cardan::collision {

/// Nearest points of two solids, in the world. point_b - point_a = gap normal.
struct Contact {
  double gap = 0.0;     // [m], negative: depth of penetration
  Vec3<double> normal;  // unit, from a to b
  Vec3<double> point_a, point_b;
  /// Names of the features that touch, each of its solid; they stay while the features do.
  std::uint32_t name_a = 0, name_b = 0;
  Feature feature_a, feature_b;  // what touches, directions in the world: for the motion of the gap
  int part_a = -1, part_b = -1;  // triangle of a mesh
};

/// Contacts of one pair: where the solids touch or may soon. Convex pairs have at most 4, unless more are asked for;
/// a mesh may have 4 for each direction.
struct Manifold {
  static constexpr int kMost = 16;
  int count = 0;
  Contact contact[kMost];
};

/// What a pair remembers from one instant to the next, so that the next answer comes quickly and keeps its names. In
/// plain memory: copies are cheap.
struct PairMemory {
  bool known = false;
  Vec3<double> n;  // last direction, in the frame of a
  int hint_a = 0, hint_b = 0;
  int simplex = 0;  // pairs of vertices that were nearest, of polyhedra
  int vertex_a[3] = {}, vertex_b[3] = {};
  int count = 0;  // of the last manifold
  std::uint32_t name_a[Manifold::kMost] = {}, name_b[Manifold::kMost] = {};
};

}  // namespace cardan::collision
