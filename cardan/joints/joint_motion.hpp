// A joint of any type at one state, for work that is not a kernel: the number of velocities is known only when it runs.
#pragma once

#include "cardan/joints/joint.hpp"
#include "cardan/math/dual.hpp"

namespace cardan {

/// A joint at one state: the transform from its parent (or predecessor), S and c_J in the coordinates of what it moves.
template <class T>
struct JointMotionOf {
  Transform<T> X = Transform<T>::identity();
  int nv = 0;
  MotionVector<T> S[6];
  MotionVector<T> c_J;
};
using JointMotion = JointMotionOf<double>;

/// Evaluates the joint between its own two frames, without the tree transforms X_T. On double and Dual8.
template <class T>
JointMotionOf<T> joint_motion(const Joint& joint, const T* q, const T* v);

extern template JointMotionOf<double> joint_motion(const Joint& joint, const double* q, const double* v);
extern template JointMotionOf<Dual8> joint_motion(const Joint& joint, const Dual8* q, const Dual8* v);

}  // namespace cardan
