// Constraints that depend on one another through the velocities that they share (section 8.9), with their own dense
// block of J: what is done cluster by cluster costs in proportion to their number.
#pragma once

#include "cardan/constraints/constraint_set.hpp"

namespace cardan {

struct ConstraintCluster {
  std::vector<int> members, velocities;  // both rising
  int rows = 0;
  Eigen::MatrixXd J;  // rows x velocities

  /// Fills J; the set has been evaluated.
  void fill(const ConstraintSet& set);
  /// Takes the entries of its rows out of a vector that has one for each row of the set.
  Eigen::VectorXd rows_of(const ConstraintSet& set, const Eigen::VectorXd& all) const;
};

/// All clusters that have rows and velocities.
std::vector<ConstraintCluster> constraint_clusters(const ConstraintSet& set);

}  // namespace cardan
