// Pluecker transform X = rot(E) xlt(r) (section 2.8): takes coordinates from frame A to frame B, where r is the
// position of B's origin in A and E rotates A's axes onto B's. E may be general, about one axis, or none.
#pragma once

#include "cardan/spatial/rotation.hpp"
#include "cardan/spatial/vectors.hpp"

namespace cardan {

template <class T, class Rotation = Mat3<T>>
struct Transform {
  Rotation E;
  Vec3<T> r;

  static CARDAN_INLINE Transform identity() requires std::same_as<Rotation, Mat3<T>> {
    return {Mat3<T>::identity(), Vec3<T>{}};
  }
};

/// A transform over another scalar (model constants are double).
template <class T>
CARDAN_INLINE Transform<T> as(const Transform<double>& X) {
  if constexpr (std::same_as<T, double>)
    return X;
  else
    return {Mat3<T>(X.E), Vec3<T>(X.r)};
}

template <class T, class R>
CARDAN_INLINE MotionVector<T> operator*(const Transform<T, R>& X, const MotionVector<T>& m) {
  return {rotate(X.E, m.angular), rotate(X.E, minus_cross(m.linear, X.r, m.angular))};
}

/// X^-1 m.
template <class T, class R>
CARDAN_INLINE MotionVector<T> inverse_apply(const Transform<T, R>& X, const MotionVector<T>& m) {
  const Vec3<T> w = rotate_back(X.E, m.angular);
  return {w, plus_cross(rotate_back(X.E, m.linear), X.r, w)};
}

/// X* f: a force to the new frame.
template <class T, class R>
CARDAN_INLINE ForceVector<T> operator*(const Transform<T, R>& X, const ForceVector<T>& f) {
  return {rotate(X.E, minus_cross(f.moment, X.r, f.force)), rotate(X.E, f.force)};
}

/// X' f: a force back from the new frame; this is the inverse of X* f.
template <class T, class R>
CARDAN_INLINE ForceVector<T> transpose_apply(const Transform<T, R>& X, const ForceVector<T>& f) {
  const Vec3<T> force = rotate_back(X.E, f.force);
  return {plus_cross(rotate_back(X.E, f.moment), X.r, force), force};
}

/// X1 X2: first X2, then X1.
template <class T, class R>
CARDAN_INLINE Transform<T> operator*(const Transform<T, R>& X1, const Transform<T>& X2) {
  return {compose(X1.E, X2.E), X2.r + rotate_back(X2.E, X1.r)};
}

template <class T>
CARDAN_INLINE Transform<T> inverse(const Transform<T>& X) {
  return {transpose(X.E), -(X.E * X.r)};
}

/// Returns the transform with a full rotation matrix.
template <class T, class R>
CARDAN_INLINE Transform<T> general(const Transform<T, R>& X) {
  return {as_matrix<T>(X.E), X.r};
}

template <int A, class T>
CARDAN_INLINE MotionVector<T> rotate(const AxisRotation<A, T>& E, const MotionVector<T>& m) {
  return {rotate(E, m.angular), rotate(E, m.linear)};
}
template <int A, class T>
CARDAN_INLINE ForceVector<T> rotate_back(const AxisRotation<A, T>& E, const ForceVector<T>& f) {
  return {rotate_back(E, f.moment), rotate_back(E, f.force)};
}

/// Factors X into a translation and a rotation about a coordinate axis. S of such a joint is invariant under that
/// rotation, so the joint's algebra may be done in the intermediate frame. Of other transforms the rotation is empty.
template <class Translation, class Rotation>
struct SplitTransform {
  Translation translation;
  [[no_unique_address]] Rotation rotation;
};
template <class T, int A>
CARDAN_INLINE SplitTransform<Transform<T, NoRotation>, AxisRotation<A, T>> split(
    const Transform<T, AxisRotation<A, T>>& X) {
  return {{{}, X.r}, X.E};
}
template <class X>
CARDAN_INLINE SplitTransform<X, NoRotation> split(const X& x) {
  return {x, {}};
}

/// The transform to a frame at position p with orientation R (columns: its axes) in the old frame.
template <class T>
CARDAN_INLINE Transform<T> from_pose(const Mat3<T>& R, const Vec3<T>& p) {
  return {transpose(R), p};
}

}  // namespace cardan
