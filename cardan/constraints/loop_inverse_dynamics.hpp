// Which drive forces give a mechanism with loops a wanted motion (section 8.12). Its tree alone would need forces in
// all joints; the constraints carry what lies outside the motions that they allow.
#pragma once

#include "cardan/constraints/constraint_set.hpp"
#include "cardan/model/workspace.hpp"

#include <span>

namespace cardan {

struct DriveForces {
  Eigen::VectorXd tau;      // at all velocities; zero where there is no drive
  int freedoms = 0;         // of the mechanism
  int independent = 0;      // drives that do different things
  double out_of_reach = 0;  // the part of the needed force that no drive supplies, relative

  /// Some motions cannot be driven.
  bool is_under_actuated() const { return independent < freedoms; }
  /// Some drives work against one another; those of least norm are given.
  bool is_over_actuated() const { return drives > independent; }
  int drives = 0;
};

/// `driven` lists velocities. a must be an acceleration that the constraints allow; the set has been evaluated at q, v.
/// `others`: generalized forces that act beside the drives; empty: none.
DriveForces loop_inverse_dynamics(const Model& model, Workspace<double>& workspace, const ConstraintSet& set,
                                  std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                  std::span<const int> driven, std::span<const double> others = {});

}  // namespace cardan
