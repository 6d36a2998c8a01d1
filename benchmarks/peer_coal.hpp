// Coal doing the same on the same pairs of shapes.
#pragma once

#include "benchmarks/peer.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/spatial/se3.hpp"

#include <optional>

namespace cardan::bench {

/// Distance with nearest points, and collision with a patch of contact points (up to 4), at these poses of a.
struct CoalPair {
  Call distance, patch;
  std::string version;
};

/// b is at the origin; none stands for the half-space z <= 0. Nothing where this program was built without Coal, or
/// Coal lacks one of the shapes.
std::optional<CoalPair> make_coal_pair(const Shape& a, const std::optional<Shape>& b,
                                       const std::vector<Pose<double>>& poses);

}  // namespace cardan::bench
