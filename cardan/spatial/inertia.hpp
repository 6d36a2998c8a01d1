// Rigid-body inertia with ten numbers: mass m, first moment h = m c, rotational inertia I about the frame's origin
// (Table A.3): [I hx; -hx m1].
#pragma once

#include "cardan/spatial/transform.hpp"

namespace cardan {

template <class T>
struct RigidBodyInertia {
  T m{0.0};
  Vec3<T> h;
  Sym3<T> I;

  CARDAN_INLINE RigidBodyInertia() = default;
  CARDAN_INLINE RigidBodyInertia(const T& mass, const Vec3<T>& first_moment, const Sym3<T>& about_origin)
      : m(mass), h(first_moment), I(about_origin) {}
  template <class U>
    requires(!std::same_as<U, T>)
  CARDAN_INLINE explicit RigidBodyInertia(const RigidBodyInertia<U>& o) : m(T(o.m)), h(o.h), I(o.I) {}

  CARDAN_INLINE void operator+=(const RigidBodyInertia& o) {
    m += o.m;
    h += o.h;
    I += o.I;
  }
  CARDAN_INLINE void operator-=(const RigidBodyInertia& o) {
    m -= o.m;
    h -= o.h;
    I -= o.I;
  }
  CARDAN_INLINE friend RigidBodyInertia operator+(RigidBodyInertia a, const RigidBodyInertia& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend RigidBodyInertia operator*(const T& s, const RigidBodyInertia& a) {
    return {s * a.m, s * a.h, s * a.I};
  }
  CARDAN_INLINE friend ForceVector<T> operator*(const RigidBodyInertia& a, const MotionVector<T>& v) {
    return {plus_cross(a.I * v.angular, a.h, v.linear), minus_cross(a.m * v.linear, a.h, v.angular)};
  }
};

namespace detail {
/// The lower triangle of a x b x + b' x a' x: the six entries of a symmetric sum of products of cross matrices.
template <class T>
CARDAN_INLINE Sym3<T> cross_products(const Vec3<T>& a, const Vec3<T>& b) {
  // (a x)(b x) = b a' - (a.b) 1
  const T xx = a[0] * b[0], yy = a[1] * b[1], zz = a[2] * b[2];
  return {-(yy + zz), -(xx + zz), -(xx + yy), b[1] * a[0], b[2] * a[0], b[2] * a[1]};
}
}  // namespace detail

/// From mass, center of mass and inertia about the center of mass (Eq. 2.63).
template <class T>
CARDAN_INLINE RigidBodyInertia<T> rigid_body_inertia(const T& mass, const Vec3<T>& com, const Sym3<T>& about_com) {
  const Vec3<T> h = mass * com;
  return {mass, h, about_com - detail::cross_products(h, com)};
}

/// X* I X^-1: the inertia in the new frame.
template <class T, class R>
CARDAN_INLINE RigidBodyInertia<T> operator*(const Transform<T, R>& X, const RigidBodyInertia<T>& a) {
  const Vec3<T> y = a.h - a.m * X.r;
  const Sym3<T> shifted = a.I + detail::cross_products(X.r, a.h) + detail::cross_products(y, X.r);
  return {a.m, rotate(X.E, y), rotate(X.E, shifted)};
}

/// X' I X: the inertia back in the old frame.
template <class T, class R>
CARDAN_INLINE RigidBodyInertia<T> transpose_apply(const Transform<T, R>& X, const RigidBodyInertia<T>& a) {
  const Vec3<T> h = rotate_back(X.E, a.h), y = h + a.m * X.r;
  return {a.m, y, rotate_back(X.E, a.I) - detail::cross_products(X.r, h) - detail::cross_products(y, X.r)};
}

template <class T>
CARDAN_INLINE T kinetic_energy(const RigidBodyInertia<T>& I, const MotionVector<T>& v) {
  return T(0.5) * dot(v, I * v);
}

}  // namespace cardan
