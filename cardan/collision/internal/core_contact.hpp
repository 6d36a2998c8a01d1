// The exact contact of two convex cores: the direction that maximizes their separation, found among the features that
// an approximate one points at.
#pragma once

#include "cardan/collision/feature.hpp"
#include "cardan/collision/internal/gjk.hpp"

namespace cardan::collision {

/// In the frame of a; b - a = gap n.
struct CoreContact {
  Vec3<double> n;  // unit, from a to b
  double gap = 0.0;
  Vec3<double> a, b;  // nearest points of the cores
  Feature feature_a, feature_b;
};

/// `guess`: direction from a to b in the frame of a; any length but zero. Where it is `known` to be the last answer, a
/// shallow contact is followed from there instead of being sought anew.
CoreContact core_contact(CorePair& pair, const Vec3<double>& guess, bool known = false);

}  // namespace cardan::collision
