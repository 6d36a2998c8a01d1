// What every joint gives: the successor frame's pose, the motion subspace S and the velocity-product acceleration
// c_J = S_dot v, all in successor coordinates (section 4.4 of the book).
#pragma once

#include "cardan/math/sincos.hpp"
#include "cardan/spatial/subspace.hpp"

namespace cardan {

/// A joint's own coordinates, with their sines and cosines already computed for all joints at once.
template <class T>
struct Coordinates {
  const T* q;
  const T* s;
  const T* c;

  CARDAN_INLINE const T& operator[](int i) const { return q[i]; }
  CARDAN_INLINE Coordinates from(int i) const { return {q + i, s + i, c + i}; }
};
template <class T>
CARDAN_INLINE const T& sin(const Coordinates<T>& q, int i) {
  return q.s[i];
}
template <class T>
CARDAN_INLINE const T& cos(const Coordinates<T>& q, int i) {
  return q.c[i];
}

/// X_J = rot(E) xlt(p): p is the successor's origin in predecessor coordinates.
template <class T, int N>
struct JointKinematics {
  Mat3<T> E = Mat3<T>::identity();
  Vec3<T> p;
  MotionMatrix<T, N> S;
  MotionVector<T> c_J;
};

/// Joints whose velocity is the rate of their coordinates: v = dq/dt.
template <int N>
struct RateCoordinates {
  static constexpr int nq = N, nv = N;

  template <class T>
  static void integrate(const T* q, const T* v, const T& h, T* out) {
    for (int i = 0; i < N; ++i) out[i] = q[i] + h * v[i];
  }
  /// The velocity that leads from q0 to q1 in unit time.
  template <class T>
  static void difference(const T* q0, const T* q1, T* v) {
    for (int i = 0; i < N; ++i) v[i] = q1[i] - q0[i];
  }
  static void neutral(double* q) {
    for (int i = 0; i < N; ++i) q[i] = 0.0;
  }
};

namespace detail {
/// E of a turn about a unit axis, from cosine and sine (Rodrigues' formula, transposed).
template <class T>
CARDAN_INLINE Mat3<T> axis_rotation(const Vec3<double>& axis, const T& c, const T& s) {
  const Vec3<T> a(axis), b = (T(1.0) - c) * a, d = s * a;
  return mat3<T>(c + b[0] * a[0], b[0] * a[1] + d[2], b[0] * a[2] - d[1], b[1] * a[0] - d[2], c + b[1] * a[1],
                 b[1] * a[2] + d[0], b[2] * a[0] + d[1], b[2] * a[1] - d[0], c + b[2] * a[2]);
}
}  // namespace detail

}  // namespace cardan
