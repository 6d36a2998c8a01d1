// Contact manifolds: the few points that stand for the whole area where two solids touch.
#pragma once

#include "cardan/collision/contact.hpp"

namespace cardan::collision {

struct ManifoldOptions {
  /// Contacts up to this gap [m] are wanted.
  double margin = 0.0;
  /// At most so many for a convex pair, chosen to span the area; up to Manifold::kMost.
  int most = 4;
};

/// Finds the contacts of two solids: those within the margin, and those of the same faces whose gap exceeds the least
/// by no more than 1e-3 of the faces' size, so that the set does not flicker where faces are nearly parallel. Where
/// more are found than wanted, those that the memory knows are kept. Nothing is allocated.
///
/// Each point of a face stands on its own: its gap is the distance of a point of one solid to the plane of the other's
/// face, its normal that face's. The first contact of a pair that touches in one point is that of nearest().
void find_manifold(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                   const ManifoldOptions& options, PairMemory& memory, Manifold& out);

}  // namespace cardan::collision
