// Poses: exponential, logarithm, adjoint and tangent operator of SE(3) (Holzinger et al., Eqs. 13 and 17, the latter
// corrected), angular part first. A twist (phi, rho) is the motion of the body in its own frame for unit time.
// The 6x6 operators have the pattern [A 0; B A], which multiplies like a dual number A + e B; hence the lower left
// block is the derivative of the SO(3) operator in the direction rho, and no new formula is needed.
#pragma once

#include "cardan/math/so3.hpp"
#include "cardan/spatial/vectors.hpp"

namespace cardan {

/// Where a body is in its parent: x_parent = R x_body + p.
template <class T>
struct Pose {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p;

  CARDAN_INLINE friend Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.p + a.p}; }
  CARDAN_INLINE friend Vec3<T> operator*(const Pose& a, const Vec3<T>& x) { return a.R * x + a.p; }
};

template <class T>
CARDAN_INLINE Pose<T> inverse(const Pose<T>& a) {
  return {transpose(a.R), -transpose_apply(a.R, a.p)};
}

namespace detail {
template <class T>
CARDAN_INLINE Matrix<T, 6, 6> dual_blocks(const Mat3<T>& A, const Mat3<T>& B) {
  Matrix<T, 6, 6> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out(i, j) = out(i + 3, j + 3) = A(i, j);
      out(i + 3, j) = B(i, j);
    }
  return out;
}
}  // namespace detail

/// p = T(angular)' linear (Eq. 13).
template <class T>
CARDAN_INLINE Pose<T> exp_se3(const Vec3<T>& angular, const Vec3<T>& linear) {
  return {exp_so3(angular), transpose_apply(tangent_so3(angular), linear)};
}
template <class T>
CARDAN_INLINE Pose<T> exp_se3(const MotionVector<T>& xi) {
  return exp_se3(xi.angular, xi.linear);
}

/// The twist whose exponential is the pose, with angle <= pi.
template <class T>
CARDAN_INLINE MotionVector<T> log_se3(const Pose<T>& pose) {
  const Vec3<T> angular = log_so3(pose.R);
  return {angular, transpose_apply(tangent_so3_inverse(angular), pose.p)};
}

/// Ad = [R 0; [p]x R R]: takes a velocity in body coordinates to parent coordinates.
template <class T>
CARDAN_INLINE Matrix<T, 6, 6> adjoint(const Pose<T>& pose) {
  return detail::dual_blocks(pose.R, cross(pose.p, pose.R));
}

/// V = T(xi) xi_dot, where V is the body-fixed velocity of exp(xi(t)).
template <class T>
CARDAN_INLINE Matrix<T, 6, 6> tangent_se3(const Vec3<T>& angular, const Vec3<T>& linear) {
  return detail::dual_blocks(tangent_so3(angular), tangent_so3_rate(angular, linear));
}

/// T(xi)^-1. Singular at |angular| = 2 pi: near it the entries grow like 1 / (2 pi - |angular|), the lower left
/// block like the square of that.
template <class T>
CARDAN_INLINE Matrix<T, 6, 6> tangent_se3_inverse(const Vec3<T>& angular, const Vec3<T>& linear) {
  return detail::dual_blocks(tangent_so3_inverse(angular), tangent_so3_inverse_rate(angular, linear));
}

}  // namespace cardan
