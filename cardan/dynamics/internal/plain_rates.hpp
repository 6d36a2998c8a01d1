// Tells joints whose velocities are the rates of their coordinates, so that limits of coordinates bound velocities.
#pragma once

#include "cardan/joints/joint.hpp"

#include <concepts>

namespace cardan {

inline bool has_plain_rates(const Joint& joint) {
  bool plain = true;
  for_each_part(joint, 0, 0, [&]<class J>(const J&, int, int) { plain &= !std::same_as<J, SphericalExponential>; });
  return plain;
}

}  // namespace cardan
