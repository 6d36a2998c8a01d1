// Whether two models have the same equation of motion (section 9.7).
#pragma once

#include "cardan/model/model.hpp"

namespace cardan {

struct Equivalence {
  bool holds = false;
  double largest_difference = 0.0;  // of a joint's force, relative to the largest force at that state
  int velocity = -1;                // at which it is; -1 if there is none
};

/// Compares inverse dynamics at random states, the same at every call. Models with other coordinates are not
/// equivalent: their largest difference is infinite.
Equivalence dynamically_equivalent(const Model& a, const Model& b, double tolerance = 1e-9, int states = 20);

}  // namespace cardan
