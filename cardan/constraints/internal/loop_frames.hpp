// The two frames of a loop's joint, on any scalar.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/constraints/joint_subspace.hpp"
#include "cardan/spatial/se3.hpp"

namespace cardan::detail {

/// How far the frame that X leads to is from the one that X_J leads to, in coordinates of the former.
template <class T>
MotionVector<T> displacement(const Transform<T>& X, const Transform<T>& X_J) {
  const Transform<T> difference = X * inverse(X_J);
  return log_se3(Pose<T>{transpose(difference.E), difference.r});
}

/// Multiplies S_inverse' with a motion.
template <class T>
void project(const MotionBasis& S_inverse, const MotionVector<T>& m, T* out) {
  for (Eigen::Index i = 0; i < S_inverse.cols(); ++i) {
    out[i] = T(0.0);
    for (int c = 0; c < 6; ++c) out[i] += T(S_inverse(c, i)) * m[c];
  }
}

/// The transform from the predecessor's frame of the loop to the successor's.
template <class T>
Transform<T> between_frames(const LoopJoint& loop, const InstantOf<T>& at) {
  const Transform<T> X_P = as<T>(loop.predecessor.X) * at.X_0(loop.predecessor.body);
  return as<T>(loop.successor.X) * at.X_0(loop.successor.body) * inverse(X_P);
}

}  // namespace cardan::detail
