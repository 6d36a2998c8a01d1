// The directions that a joint has and those that it has not.
#pragma once

#include "cardan/joints/joint_motion.hpp"

#include <Eigen/Dense>

namespace cardan {

/// Up to six spatial vectors as columns.
using MotionBasis = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

/// S_inverse' is the pseudo-inverse of S, and T has 6 - rank columns with T' S = 0, orthonormal as forces whose moments
/// are divided by `length`. T' then measures angles as lengths, and multipliers are newtons.
void split_subspace(const JointMotion& joint, int rank, double length, MotionBasis& S_inverse, MotionBasis& T);

/// Keeps the split of a joint that moves.
struct SplitSubspace {
  MotionBasis S, S_inverse, T;

  /// Costs nothing where S is what it was the last time, as of most joints it always is.
  void update(const JointMotion& joint, int rank, double length = 1.0);
};

/// How many directions a joint has at most: fewer than velocities where these repeat one another (two hinges on one
/// axis).
int subspace_dimension(const Joint& joint);

}  // namespace cardan
