// 2B, twice the Coriolis matrix of one body (Echeandia and Wensing 2021): with momentum (n, f) = I v,
// 2B m = v x* I m - I (v x m) + m x* (n, f). The force v x* I v of a body that turns with a displacement phi and moves
// faster by psi changes by phi x* (v x* I v) + 2B psi. Linear parts of m drop out:
// 2B = [C - n x, 0; -2 f x, 0], C = w x I + (w x I)' - (l h' + h l') + 2 (l.h) 1 with v = (w, l).
#pragma once

#include "cardan/spatial/inertia.hpp"

namespace cardan {

template <class T>
struct CoriolisInertia {
  Sym3<T> C;
  Vec3<T> n, f;

  CARDAN_INLINE friend ForceVector<T> operator*(const CoriolisInertia& B, const MotionVector<T>& m) {
    return {minus_cross(B.C * m.angular, B.n, m.angular), T(-2.0) * cross(B.f, m.angular)};
  }
};

/// The angular part of (2B)' m; the linear part is zero.
template <class T>
CARDAN_INLINE Vec3<T> transpose_apply(const CoriolisInertia<T>& B, const MotionVector<T>& m) {
  return plus_cross(plus_cross(B.C * m.angular, B.n, m.angular), B.f, m.linear + m.linear);
}

/// 2B of a body with inertia I and velocity v, whose momentum is I v.
template <class T>
CARDAN_INLINE CoriolisInertia<T> coriolis_inertia(const RigidBodyInertia<T>& I, const MotionVector<T>& v,
                                                  const ForceVector<T>& momentum) {
  const Vec3<T>&w = v.angular, &l = v.linear, twice = l + l;
  const Sym3<T>& J = I.I;
  const auto turned = [&](int i, int j) {  // (w x J)_ij
    const int k = (i + 1) % 3, m = (i + 2) % 3;
    return w[k] * J(m, j) - w[m] * J(k, j);
  };
  CoriolisInertia<T> out{{}, momentum.moment, momentum.force};
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3, m = (i + 2) % 3;
    const T half = turned(i, i);
    out.C(i, i) = half + half + twice[k] * I.h[k] + twice[m] * I.h[m];
    out.C(i, k) = turned(i, k) + turned(k, i) - l[i] * I.h[k] - l[k] * I.h[i];
  }
  return out;
}

}  // namespace cardan
