// How a mechanism with constraints can move: its degrees of freedom, constraints that repeat one another, and
// configurations in which it can do more than elsewhere (section 8.10).
#pragma once

#include "cardan/constraints/constraint_set.hpp"

#include <span>

namespace cardan {

struct Mobility {
  int velocities = 0;          // of the tree
  int rows = 0;                // constraints, one number each
  int rank = 0;                // of them independent, where the mechanism moves freely
  int rank_here = 0;           // of them independent at the given configuration
  std::vector<int> redundant;  // of each constraint: rows that repeat those of constraints before it

  int freedoms() const { return velocities - rank; }
  int redundant_rows() const { return rows - rank; }
  /// A dead point or a branch: fewer constraints bite here than nearby.
  bool is_singular() const { return rank_here < rank; }
};

/// At a configuration where all constraints hold. Looks at configurations nearby, too.
Mobility analyze_mobility(const Model& model, ConstraintSet& set, double t, std::span<const double> q);

}  // namespace cardan
