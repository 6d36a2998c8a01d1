// The depth of two convex cores that overlap or nearly touch (van den Bergen 2001): a polytope inside the Minkowski
// difference grows where its boundary is nearest to the origin. Distances have a sign, so that an origin slightly
// outside gives a positive gap by the same steps.
#pragma once

#include "cardan/collision/internal/core_pair.hpp"

namespace cardan::collision {

struct EpaResult {
  Vec3<double> n;            // from a to b
  bool flat = false;         // the difference has no volume: n is the normal of its plane
  DifferencePoint point[3];  // of the nearest face
  double weight[3] = {};     // of the points in the one nearest to the origin
  int iterations = 0;
  bool exhausted = false;  // ended before it was exact
};

EpaResult epa(CorePair& pair);

}  // namespace cardan::collision
