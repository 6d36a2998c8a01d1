// The motion of one body for inverse dynamics: angular velocity w, angular acceleration dw and the classical
// acceleration a of the origin, in body coordinates. A = [dw]x + [w]x[w]x gives the acceleration a + A r of any
// point r, hence the child's acceleration and the body's force f = m a + A h with the same nine numbers.
#pragma once

#include "cardan/spatial/subspace.hpp"

namespace cardan {

template <class T>
struct NewtonEulerMotion {
  Vec3<T> w, dw, a;
  Mat3<T> A;

  CARDAN_INLINE void update_tensor() {
    const T xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    const T xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
    A = mat3<T>(-(yy + zz), xy - dw[2], xz + dw[1], xy + dw[2], -(xx + zz), yz - dw[0], xz - dw[1], yz + dw[0],
                -(xx + yy));
  }
};

/// The world, accelerated against gravity: fictitious forces then stand for weight.
template <class T>
CARDAN_INLINE NewtonEulerMotion<T> at_rest(const Vec3<double>& gravity) {
  NewtonEulerMotion<T> k;
  k.a = -Vec3<T>(gravity);
  return k;
}

// The parent's motion k carried over a joint: X, velocity S qd, acceleration S qdd + c_J. The result is complete but
// for its tensor, so that the caller may still add accelerations.

template <int A, class T>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, AxisRotation<A, T>>& X, UnitRotation<A>,
                             const Vector<T, 1>& qd, Zero) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  k.a = rotate(X.E, plus_product(k.a, k.A, X.r));
  k.w = rotate(X.E, k.w);
  k.dw = rotate(X.E, k.dw);
  k.dw[B] = k.dw[B] + k.w[C] * qd[0];
  k.dw[C] = k.dw[C] - k.w[B] * qd[0];
  k.w[A] += qd[0];
}

/// Along a coordinate axis: only the Coriolis acceleration 2 w x v_J is new, and it has two components.
template <int A, class T, class R>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, R>& X, UnitTranslation<A>,
                             const Vector<T, 1>& qd, Zero) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  k.a = rotate(X.E, plus_product(k.a, k.A, X.r));
  k.w = rotate(X.E, k.w);
  k.dw = rotate(X.E, k.dw);
  const T twice = qd[0] + qd[0];
  k.a[B] = k.a[B] + k.w[C] * twice;
  k.a[C] = k.a[C] - k.w[B] * twice;
}

/// Along any direction.
template <class T, class R>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, R>& X, const TranslationAlong<T>& S,
                             const Vector<T, 1>& qd, Zero) {
  k.a = rotate(X.E, plus_product(k.a, k.A, X.r));
  k.w = rotate(X.E, k.w);
  k.dw = rotate(X.E, k.dw);
  k.a = plus_cross(k.a, k.w, (qd[0] + qd[0]) * S.d);
}

template <class T, class R>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, R>& X, const MotionVector<T>& v_J,
                             const MotionVector<T>& c_J) {
  const Vec3<T> w = rotate(X.E, k.w);
  k.a = rotate(X.E, plus_product(k.a, k.A, X.r)) + c_J.linear + cross(v_J.angular, v_J.linear) +
        T(2.0) * cross(w, v_J.linear);
  k.dw = rotate(X.E, k.dw) + c_J.angular + cross(w, v_J.angular);
  k.w = w + v_J.angular;
}

template <class T, class R, class S, int N>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, R>& X, const S& s, const Vector<T, N>& qd,
                             const MotionVector<T>& c_J) {
  propagate(k, X, s * qd, c_J);
}
template <class T, class R, class S, int N>
CARDAN_INLINE void propagate(NewtonEulerMotion<T>& k, const Transform<T, R>& X, const S& s, const Vector<T, N>& qd,
                             Zero) {
  propagate(k, X, s * qd, MotionVector<T>{});
}

/// Adds the joint's own acceleration S qdd.
template <int A, class T>
CARDAN_INLINE void accelerate(NewtonEulerMotion<T>& k, UnitRotation<A>, const Vector<T, 1>& qdd) {
  k.dw[A] += qdd[0];
}
template <int A, class T>
CARDAN_INLINE void accelerate(NewtonEulerMotion<T>& k, UnitTranslation<A>, const Vector<T, 1>& qdd) {
  k.a[A] += qdd[0];
}
template <class T>
CARDAN_INLINE void accelerate(NewtonEulerMotion<T>& k, const TranslationAlong<T>& S, const Vector<T, 1>& qdd) {
  k.a += qdd[0] * S.d;
}
template <class T, class S, int N>
CARDAN_INLINE void accelerate(NewtonEulerMotion<T>& k, const S& s, const Vector<T, N>& qdd) {
  const MotionVector<T> a_J = s * qdd;
  k.dw += a_J.angular;
  k.a += a_J.linear;
}

/// A body's mass m, first moment h and second moments P (P_ij: integral of r_i r_j dm), which weigh the tensor A.
template <class T>
struct MassMoments {
  T m;
  Vec3<T> h;
  Sym3<T> P;
};

/// P = tr(I)/2 1 - I.
template <class T>
MassMoments<T> moments(const RigidBodyInertia<T>& I) {
  const T half = T(0.5) * (I.I(0, 0) + I.I(1, 1) + I.I(2, 2));
  MassMoments<T> out{I.m, I.h, T(-1.0) * I.I};
  for (int i = 0; i < 3; ++i) out.P(i, i) += half;
  return out;
}

/// I a + v x* I v: the force that this motion takes (needs an up-to-date tensor). f = m a + A h, and the moment is the
/// integral of r x (a + A r): h x a and the skew part of A P.
template <class T>
CARDAN_INLINE ForceVector<T> operator*(const MassMoments<T>& b, const NewtonEulerMotion<T>& k) {
  const Mat3<T>& A = k.A;
  const Sym3<T>& P = b.P;
  const Vec3<T> n = cross(b.h, k.a);
  Vec3<T> moment;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    moment[i] = n[i] + A(l, 0) * P(0, j) + A(l, 1) * P(1, j) + A(l, 2) * P(2, j) - A(j, 0) * P(0, l) -
                A(j, 1) * P(1, l) - A(j, 2) * P(2, l);
  }
  return {moment, plus_product(b.m * k.a, k.A, b.h)};
}
template <class T>
CARDAN_INLINE ForceVector<T> operator*(const RigidBodyInertia<T>& I, const NewtonEulerMotion<T>& k) {
  return moments(I) * k;
}

}  // namespace cardan
