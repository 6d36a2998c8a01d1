// I^a = I^A - U D^-1 U' (Eq. 7.24): what of an articulated inertia passes through a joint. It maps S to zero, so for
// a joint about or along axis A the rows and columns of A are zero and are neither stored nor moved (section A.4).
#pragma once

#include "cardan/spatial/subspace.hpp"

namespace cardan {

/// I^a behind a rotation about coordinate axis A. B and C are the other two axes in cyclic order.
template <int A, class T>
struct ProjectedInertia {
  T bb, cc, bc;    // of I
  Vec3<T> Hb, Hc;  // rows of H
  Sym3<T> M;
};

/// I^a behind a translation along coordinate axis A.
template <int A, class T>
struct ProjectedAlong {
  Sym3<T> I;
  Vec3<T> Hb, Hc;  // columns of H
  T bb, cc, bc;    // of M
};

namespace detail {
/// M - sum K_k U_k' on the linear part.
template <class T, int N>
CARDAN_INLINE Sym3<T> reduce(const Sym3<T>& M, const ForceMatrix<T, N>& U, const ForceMatrix<T, N>& K) {
  Sym3<T> out(M);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) out(i, j) = out(i, j) - K.column[k].force[i] * U.column[k].force[j];
  return out;
}
}  // namespace detail

template <int A, class T>
CARDAN_INLINE ProjectedInertia<A, T> project(UnitRotation<A>, const ArticulatedInertia<T>& a,
                                             const ForceMatrix<T, 1>& U, const ForceMatrix<T, 1>& K) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  const ForceVector<T>&u = U.column[0], &k = K.column[0];
  return {a.I(B, B) - k.moment[B] * u.moment[B], a.I(C, C) - k.moment[C] * u.moment[C],
          a.I(B, C) - k.moment[B] * u.moment[C], a.H.row[B] - k.moment[B] * u.force,
          a.H.row[C] - k.moment[C] * u.force,    detail::reduce(a.M, U, K)};
}

template <int A, class T>
CARDAN_INLINE ProjectedAlong<A, T> project(UnitTranslation<A>, const ArticulatedInertia<T>& a,
                                           const ForceMatrix<T, 1>& U, const ForceMatrix<T, 1>& K) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  const ForceVector<T>&u = U.column[0], &k = K.column[0];
  ProjectedAlong<A, T> out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) out.I(i, j) = a.I(i, j) - k.moment[i] * u.moment[j];
    out.Hb[i] = a.H(i, B) - k.force[B] * u.moment[i];
    out.Hc[i] = a.H(i, C) - k.force[C] * u.moment[i];
  }
  out.bb = a.M(B, B) - k.force[B] * u.force[B];
  out.cc = a.M(C, C) - k.force[C] * u.force[C];
  out.bc = a.M(B, C) - k.force[B] * u.force[C];
  return out;
}

/// Behind a ball joint only a point's worth of mass is left.
template <class T>
CARDAN_INLINE ArticulatedInertia<T> project(AllRotations, const ArticulatedInertia<T>& a, const ForceMatrix<T, 3>& U,
                                            const ForceMatrix<T, 3>& K) {
  return {Sym3<T>{}, Mat3<T>{}, detail::reduce(a.M, U, K)};
}

/// Behind a free joint nothing is left.
template <class T>
CARDAN_INLINE ArticulatedInertia<T> project(AllMotions, const ArticulatedInertia<T>&, const ForceMatrix<T, 6>&,
                                            const ForceMatrix<T, 6>&) {
  return {};
}

template <class S, class T, int N>
CARDAN_INLINE ArticulatedInertia<T> project(const S&, const ArticulatedInertia<T>& a, const ForceMatrix<T, N>& U,
                                            const ForceMatrix<T, N>& K) {
  ArticulatedInertia<T> out{a.I, a.H, detail::reduce(a.M, U, K)};
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < 3; ++i) {
      out.H.row[i] -= K.column[k].moment[i] * U.column[k].force;
      for (int j = 0; j <= i; ++j) out.I(i, j) = out.I(i, j) - K.column[k].moment[i] * U.column[k].moment[j];
    }
  return out;
}

template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> full(const ProjectedInertia<A, T>& p) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  ArticulatedInertia<T> out;
  out.I(B, B) = p.bb;
  out.I(C, C) = p.cc;
  out.I(B, C) = p.bc;
  out.H.row[B] = p.Hb;
  out.H.row[C] = p.Hc;
  out.M = p.M;
  return out;
}
template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> full(const ProjectedAlong<A, T>& p) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  ArticulatedInertia<T> out;
  out.I = p.I;
  for (int i = 0; i < 3; ++i) {
    out.H(i, B) = p.Hb[i];
    out.H(i, C) = p.Hc[i];
  }
  out.M(B, B) = p.bb;
  out.M(C, C) = p.cc;
  out.M(B, C) = p.bc;
  return out;
}
template <class T>
CARDAN_INLINE const ArticulatedInertia<T>& full(const ArticulatedInertia<T>& a) {
  return a;
}

/// X' I^a X.
template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> transpose_apply(const Transform<T, NoRotation>& X,
                                                    const ProjectedInertia<A, T>& p) {
  return shift_back_fused(X.r, full(p));
}
template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> transpose_apply(const Transform<T>& X, const ProjectedInertia<A, T>& p) {
  return transpose_apply(X, full(p));
}

template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> transpose_apply(const Transform<T>& X, const ProjectedAlong<A, T>& p) {
  return transpose_apply(X, full(p));
}

/// Between parallel frames, as shift_back: Y = H + r x M has no column A either.
template <int A, class T>
CARDAN_INLINE ArticulatedInertia<T> transpose_apply(const Transform<T, NoRotation>& X, const ProjectedAlong<A, T>& p) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  const Vec3<T>& r = X.r;
  ArticulatedInertia<T> out;
  out.M(B, B) = p.bb;
  out.M(C, C) = p.cc;
  out.M(B, C) = p.bc;
  Mat3<T>& Y = out.H;
  Y(A, B) = p.Hb[A] + r[B] * p.bc - r[C] * p.bb;
  Y(B, B) = p.Hb[B] - r[A] * p.bc;
  Y(C, B) = p.Hb[C] + r[A] * p.bb;
  Y(A, C) = p.Hc[A] + r[B] * p.cc - r[C] * p.bc;
  Y(B, C) = p.Hc[B] - r[A] * p.cc;
  Y(C, C) = p.Hc[C] + r[A] * p.bc;
  Sym3<T>& I = out.I;
  I(A, A) = p.I(A, A) + r[B] * (p.Hc[A] + Y(A, C)) - r[C] * (p.Hb[A] + Y(A, B));
  I(B, B) = p.I(B, B) - r[A] * (p.Hc[B] + Y(B, C));
  I(C, C) = p.I(C, C) + r[A] * (p.Hb[C] + Y(C, B));
  I(A, B) = p.I(A, B) + r[B] * p.Hc[B] - r[C] * p.Hb[B] - r[A] * Y(A, C);
  I(A, C) = p.I(A, C) + r[B] * p.Hc[C] - r[C] * p.Hb[C] + r[A] * Y(A, B);
  I(B, C) = p.I(B, C) - r[A] * p.Hc[C] + r[A] * Y(B, B);
  return out;
}

}  // namespace cardan
