// Motion subspaces S of joints. A type that knows where S has ones makes IS a column, S'f an element and S'IS one
// number, so the algorithms keep the book's text and lose its multiplications by zero.
#pragma once

#include "cardan/spatial/articulated_inertia.hpp"

namespace cardan {

/// Something that is zero and costs nothing.
struct Zero {};

/// S = e_A (rotation about coordinate axis A).
template <int A>
struct UnitRotation {
  static constexpr int n = 1;
};
/// S = e_{3+A} (translation along coordinate axis A).
template <int A>
struct UnitTranslation {
  static constexpr int n = 1;
};
/// S = [0; d] with a constant direction d.
template <class T>
struct TranslationAlong {
  static constexpr int n = 1;
  Vec3<T> d;
};
/// S = [1; 0]: all rotations.
struct AllRotations {
  static constexpr int n = 3;
};
/// S = 1: all motions.
struct AllMotions {
  static constexpr int n = 6;
};
/// Any S, column by column.
template <class T, int N>
struct MotionMatrix {
  static constexpr int n = N;
  MotionVector<T> column[N > 0 ? N : 1];
};
template <class T, int N>
struct ForceMatrix {
  static constexpr int n = N;
  ForceVector<T> column[N > 0 ? N : 1];
};

// --- S x -------------------------------------------------------------------------------------------------------

template <int A, class T>
CARDAN_INLINE MotionVector<T> operator*(UnitRotation<A>, const Vector<T, 1>& x) {
  MotionVector<T> out;
  out.angular[A] = x[0];
  return out;
}
template <int A, class T>
CARDAN_INLINE MotionVector<T> operator*(UnitTranslation<A>, const Vector<T, 1>& x) {
  MotionVector<T> out;
  out.linear[A] = x[0];
  return out;
}
template <class T>
CARDAN_INLINE MotionVector<T> operator*(const TranslationAlong<T>& S, const Vector<T, 1>& x) {
  return {Vec3<T>{}, x[0] * S.d};
}
template <class T>
CARDAN_INLINE MotionVector<T> operator*(AllRotations, const Vector<T, 3>& x) {
  return {x, Vec3<T>{}};
}
template <class T>
CARDAN_INLINE MotionVector<T> operator*(AllMotions, const Vector<T, 6>& x) {
  return {Vec3<T>{x[0], x[1], x[2]}, Vec3<T>{x[3], x[4], x[5]}};
}
template <class T, int N>
CARDAN_INLINE MotionVector<T> operator*(const MotionMatrix<T, N>& S, const Vector<T, N>& x) {
  MotionVector<T> out;
  for (int k = 0; k < N; ++k) out += x[k] * S.column[k];
  return out;
}
template <class T, int N>
CARDAN_INLINE ForceVector<T> operator*(const ForceMatrix<T, N>& U, const Vector<T, N>& x) {
  ForceVector<T> out;
  for (int k = 0; k < N; ++k) out += x[k] * U.column[k];
  return out;
}
template <class T>
CARDAN_INLINE ForceVector<T> operator*(const ForceMatrix<T, 1>& U, const Vector<T, 1>& x) {
  return x[0] * U.column[0];
}

/// m += S x, touching only what S reaches.
template <int A, class T>
CARDAN_INLINE void add_to(MotionVector<T>& m, UnitRotation<A>, const Vector<T, 1>& x) {
  m.angular[A] += x[0];
}
template <int A, class T>
CARDAN_INLINE void add_to(MotionVector<T>& m, UnitTranslation<A>, const Vector<T, 1>& x) {
  m.linear[A] += x[0];
}
template <class T>
CARDAN_INLINE void add_to(MotionVector<T>& m, const TranslationAlong<T>& S, const Vector<T, 1>& x) {
  m.linear += x[0] * S.d;
}
template <class T, class S, int N>
CARDAN_INLINE void add_to(MotionVector<T>& m, const S& s, const Vector<T, N>& x) {
  m += s * x;
}

// --- S' f ------------------------------------------------------------------------------------------------------

template <int A, class T>
CARDAN_INLINE Vector<T, 1> dot(UnitRotation<A>, const ForceVector<T>& f) {
  return Vector<T, 1>(f.moment[A]);
}
template <int A, class T>
CARDAN_INLINE Vector<T, 1> dot(UnitTranslation<A>, const ForceVector<T>& f) {
  return Vector<T, 1>(f.force[A]);
}
template <class T>
CARDAN_INLINE Vector<T, 1> dot(const TranslationAlong<T>& S, const ForceVector<T>& f) {
  return Vector<T, 1>(dot(S.d, f.force));
}
template <class T>
CARDAN_INLINE Vector<T, 3> dot(AllRotations, const ForceVector<T>& f) {
  return f.moment;
}
template <class T>
CARDAN_INLINE Vector<T, 6> dot(AllMotions, const ForceVector<T>& f) {
  return {f.moment[0], f.moment[1], f.moment[2], f.force[0], f.force[1], f.force[2]};
}
template <class T, int N>
CARDAN_INLINE Vector<T, N> dot(const MotionMatrix<T, N>& S, const ForceVector<T>& f) {
  Vector<T, N> out;
  for (int k = 0; k < N; ++k) out[k] = dot(S.column[k], f);
  return out;
}
/// K' a.
template <class T, int N>
CARDAN_INLINE Vector<T, N> dot(const ForceMatrix<T, N>& K, const MotionVector<T>& a) {
  Vector<T, N> out;
  for (int k = 0; k < N; ++k) out[k] = dot(K.column[k], a);
  return out;
}
/// y - K' a. What is known of a last, its linear part, comes last and in two sums: the next joint waits for this.
template <class T, int N>
CARDAN_INLINE Vector<T, N> minus_dot(Vector<T, N> y, const ForceMatrix<T, N>& K, const MotionVector<T>& a) {
  for (int i = 0; i < N; ++i) {
    const ForceVector<T>& k = K.column[i];
    for (int j = 0; j < 3; ++j) y[i] = y[i] - k.moment[j] * a.angular[j];
    const T rest = k.force[1] * a.linear[1] + k.force[2] * a.linear[2];
    y[i] = y[i] - k.force[0] * a.linear[0] - rest;
  }
  return y;
}
/// S' U.
template <class S, class T, int N>
CARDAN_INLINE Matrix<T, S::n, N> dot(const S& s, const ForceMatrix<T, N>& U) {
  Matrix<T, S::n, N> out;
  for (int k = 0; k < N; ++k) {
    const auto column = dot(s, U.column[k]);
    for (int i = 0; i < S::n; ++i) out(i, k) = column[i];
  }
  return out;
}

// --- I S -------------------------------------------------------------------------------------------------------

template <int A, class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const ArticulatedInertia<T>& a, UnitRotation<A>) {
  return {{{Vec3<T>{a.I(0, A), a.I(1, A), a.I(2, A)}, a.H.row[A]}}};
}
template <int A, class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const ArticulatedInertia<T>& a, UnitTranslation<A>) {
  return {{{Vec3<T>{a.H(0, A), a.H(1, A), a.H(2, A)}, Vec3<T>{a.M(0, A), a.M(1, A), a.M(2, A)}}}};
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const ArticulatedInertia<T>& a, const TranslationAlong<T>& S) {
  return {{{a.H * S.d, a.M * S.d}}};
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 3> operator*(const ArticulatedInertia<T>& a, AllRotations) {
  return {{(a * UnitRotation<0>{}).column[0], (a * UnitRotation<1>{}).column[0], (a * UnitRotation<2>{}).column[0]}};
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 6> operator*(const ArticulatedInertia<T>& a, AllMotions) {
  return {{(a * UnitRotation<0>{}).column[0], (a * UnitRotation<1>{}).column[0], (a * UnitRotation<2>{}).column[0],
           (a * UnitTranslation<0>{}).column[0], (a * UnitTranslation<1>{}).column[0],
           (a * UnitTranslation<2>{}).column[0]}};
}
template <int A, class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const RigidBodyInertia<T>& a, UnitRotation<A>) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  ForceMatrix<T, 1> U;  // (I e_A, -h x e_A)
  U.column[0].moment = Vec3<T>{a.I(0, A), a.I(1, A), a.I(2, A)};
  U.column[0].force[B] = -a.h[C];
  U.column[0].force[C] = a.h[B];
  return U;
}
template <int A, class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const RigidBodyInertia<T>& a, UnitTranslation<A>) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  ForceMatrix<T, 1> U;  // (h x e_A, m e_A)
  U.column[0].moment[B] = a.h[C];
  U.column[0].moment[C] = -a.h[B];
  U.column[0].force[A] = a.m;
  return U;
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const RigidBodyInertia<T>& a, const TranslationAlong<T>& S) {
  return {{{cross(a.h, S.d), a.m * S.d}}};
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 3> operator*(const RigidBodyInertia<T>& a, AllRotations s) {
  return articulated(a) * s;
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 6> operator*(const RigidBodyInertia<T>& a, AllMotions s) {
  return articulated(a) * s;
}
template <class Inertia, class T, int N>
CARDAN_INLINE ForceMatrix<T, N> operator*(const Inertia& a, const MotionMatrix<T, N>& S) {
  ForceMatrix<T, N> U;
  for (int k = 0; k < N; ++k) U.column[k] = a * S.column[k];
  return U;
}

// --- columns, for Jacobians ------------------------------------------------------------------------------------

template <class T, int A>
CARDAN_INLINE MotionMatrix<T, 1> columns(UnitRotation<A> S) {
  return {{S * Vector<T, 1>(T(1.0))}};
}
template <class T, int A>
CARDAN_INLINE MotionMatrix<T, 1> columns(UnitTranslation<A> S) {
  return {{S * Vector<T, 1>(T(1.0))}};
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 1> columns(const TranslationAlong<T>& S) {
  return {{{Vec3<T>{}, S.d}}};
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 3> columns(AllRotations) {
  MotionMatrix<T, 3> out;
  for (int k = 0; k < 3; ++k) out.column[k][k] = T(1.0);
  return out;
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 6> columns(AllMotions) {
  MotionMatrix<T, 6> out;
  for (int k = 0; k < 6; ++k) out.column[k][k] = T(1.0);
  return out;
}
template <class T, int N>
CARDAN_INLINE const MotionMatrix<T, N>& columns(const MotionMatrix<T, N>& S) {
  return S;
}

}  // namespace cardan
