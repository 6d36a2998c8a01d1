// The distance of two convex cores that do not overlap (Gilbert, Johnson and Keerthi 1988): simplices of the Minkowski
// difference that approach the origin.
#pragma once

#include "cardan/collision/internal/core_pair.hpp"

namespace cardan::collision {

struct GjkResult {
  bool overlap = false;   // or so close that the simplex cannot tell
  Vec3<double> n;         // from a to b: of unit length where there is no overlap
  double distance = 0.0;  // of the simplex to the origin
  int count = 0;          // points of the simplex
  DifferencePoint point[4];
  double weight[4] = {};  // of the points in the nearest one
  int iterations = 0;

  Vec3<double> on_a() const { return weighted(&DifferencePoint::a); }
  Vec3<double> on_b() const { return weighted(&DifferencePoint::b); }

 private:
  Vec3<double> weighted(Vec3<double> DifferencePoint::*member) const {
    Vec3<double> out;
    for (int i = 0; i < count; ++i) out += weight[i] * (point[i].*member);
    return out;
  }
};

/// `n`: a guess from a to b, best the last answer; any length but zero.
GjkResult gjk(CorePair& pair, const Vec3<double>& n);

}  // namespace cardan::collision
