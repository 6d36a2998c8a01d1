// States of a model against the limits of its joints' coordinates.
#pragma once

#include "cardan/model/state.hpp"

#include <span>
#include <vector>

namespace cardan {

/// A coordinate beyond one of its limits.
struct BeyondLimit {
  int body = 0, k = 0;   // coordinate k of the joint that moves the body
  double q = 0.0;        // its value
  double nearest = 0.0;  // the limit
  bool is_below() const { return q < nearest; }
};

/// Lists coordinates that are beyond their limits by more than rounding.
std::vector<BeyondLimit> beyond_limits(const Model& model, std::span<const double> q);

/// The state with joints that are beyond their limits put on them.
State within_limits(const Model& model, State state);

}  // namespace cardan
