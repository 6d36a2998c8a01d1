// Signed distance of two solids, with nearest points and normal.
#pragma once

#include "cardan/collision/contact.hpp"

namespace cardan::collision {

/// Computes the signed distance of two solids placed in the world. Convex pairs: the length of the shortest translation
/// that brings them into touch, exact to rounding. A torus is its center circle with a radius: its gap is the least
/// signed distance of a point of the circle, less the tube. A mesh answers with the triangle that is nearest, or
/// deepest. Not for two meshes or two planes. Poses must be finite (see are_finite); nothing is allocated.
Contact nearest(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b, PairMemory& memory);

bool are_finite(const Pose<double>& pose);

}  // namespace cardan::collision
