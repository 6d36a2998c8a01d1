// What the program and the module with FCL say to each other.
#pragma once

#include "benchmarks/collision_peer.hpp"

namespace cardan::bench {

struct CollisionPair {
  const Shape& a;
  const std::optional<Shape>& b;
  const std::vector<Pose<double>>& poses;
};

}  // namespace cardan::bench

extern "C" void cardan_make_fcl_pair(const cardan::bench::CollisionPair& pair,
                                     std::optional<cardan::bench::CollisionPeer>& out);
