// Other libraries doing the same on the same pairs of shapes.
#pragma once

#include "benchmarks/peer.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/spatial/se3.hpp"

#include <optional>

namespace cardan::bench {

/// Distance with nearest points, and collision with what the library has of contact points (Coal: a patch of up to 4;
/// FCL: its contacts), at these poses of a.
struct CollisionPeer {
  const char* name;
  std::string version;
  Call distance, manifold;
};

/// b is at the origin; none stands for the half-space z <= 0. Nothing where this program was built without the library,
/// or the library lacks one of the shapes.
std::optional<CollisionPeer> make_coal_pair(const Shape& a, const std::optional<Shape>& b,
                                            const std::vector<Pose<double>>& poses);
std::optional<CollisionPeer> make_fcl_pair(const Shape& a, const std::optional<Shape>& b,
                                           const std::vector<Pose<double>>& poses);

}  // namespace cardan::bench
