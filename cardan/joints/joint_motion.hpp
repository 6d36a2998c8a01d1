// A joint of any type at one state, for work that is not a kernel: the number of velocities is known only when it runs.
#pragma once

#include "cardan/joints/joint.hpp"

namespace cardan {

/// A joint at one state: the transform from its parent (or predecessor), S and c_J in the coordinates of what it moves.
struct JointMotion {
  Transform<double> X = Transform<double>::identity();
  int nv = 0;
  MotionVector<double> S[6];
  MotionVector<double> c_J;
};

/// Evaluates the joint between its own two frames, without the tree transforms X_T.
JointMotion joint_motion(const Joint& joint, const double* q, const double* v);

}  // namespace cardan
