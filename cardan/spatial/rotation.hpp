// Coordinate rotations E (the book's convention: E takes coordinates to the rotated frame) in three kinds: none,
// about a coordinate axis, and general. All offer rotate (E v, E A E') and rotate_back (E' v, E' A E).
#pragma once

#include "cardan/math/matrix.hpp"

namespace cardan {

/// E = 1: the two frames are parallel.
struct NoRotation {};

/// E = r_A(q), a rotation about coordinate axis A (Eq. 2.19 to 2.21), from its cosine and sine.
template <int A, class T>
struct AxisRotation {
  T c, s;
};

// --- vectors ---------------------------------------------------------------------------------------------------

template <class V>
CARDAN_INLINE const V& rotate(NoRotation, const V& v) {
  return v;
}
template <class V>
CARDAN_INLINE const V& rotate_back(NoRotation, const V& v) {
  return v;
}

template <int A, class T>
CARDAN_INLINE Vec3<T> rotate(const AxisRotation<A, T>& E, const Vec3<T>& v) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  Vec3<T> out(v);
  out[B] = E.c * v[B] + E.s * v[C];
  out[C] = E.c * v[C] - E.s * v[B];
  return out;
}
template <int A, class T>
CARDAN_INLINE Vec3<T> rotate_back(const AxisRotation<A, T>& E, const Vec3<T>& v) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  Vec3<T> out(v);
  out[B] = E.c * v[B] - E.s * v[C];
  out[C] = E.c * v[C] + E.s * v[B];
  return out;
}

template <class T>
CARDAN_INLINE Vec3<T> rotate(const Mat3<T>& E, const Vec3<T>& v) {
  return E * v;
}
template <class T>
CARDAN_INLINE Vec3<T> rotate_back(const Mat3<T>& E, const Vec3<T>& v) {
  return transpose_apply(E, v);
}

// --- matrices --------------------------------------------------------------------------------------------------

/// R A R' for a general A in 40 multiplications and 39 additions (section A.5): A is split into a part with an empty
/// column, a multiple of 1 and a cross-product matrix, and the last diagonal element comes from the trace.
template <class T>
CARDAN_INLINE Mat3<T> rotate(const Mat3<T>& R, const Mat3<T>& A) {
  const T l00 = A(0, 0) - A(2, 2), l11 = A(1, 1) - A(2, 2), l20 = A(2, 0) + A(0, 2), l21 = A(2, 1) + A(1, 2);
  T y[3][2];
  for (int i = 0; i < 3; ++i) {
    y[i][0] = R(i, 0) * l00 + R(i, 1) * A(1, 0) + R(i, 2) * l20;
    y[i][1] = R(i, 0) * A(0, 1) + R(i, 1) * l11 + R(i, 2) * l21;
  }
  const auto z = [&](int i, int j) CARDAN_INLINE_LAMBDA { return y[i][0] * R(j, 0) + y[i][1] * R(j, 1); };
  const T z11 = z(1, 1), z22 = z(2, 2), z00 = l00 + l11 - z11 - z22;
  // (R v)x with v = (-A12, A02, 0)
  const auto w = [&](int i) CARDAN_INLINE_LAMBDA { return R(i, 1) * A(0, 2) - R(i, 0) * A(1, 2); };
  const T w0 = w(0), w1 = w(1), w2 = w(2);
  return mat3<T>(z00 + A(2, 2), z(0, 1) - w2, z(0, 2) + w1, z(1, 0) + w2, z11 + A(2, 2), z(1, 2) - w0, z(2, 0) - w1,
                 z(2, 1) + w0, z22 + A(2, 2));
}
template <class T>
CARDAN_INLINE Mat3<T> rotate_back(const Mat3<T>& E, const Mat3<T>& A) {
  return rotate(transpose(E), A);
}

/// Rotates a symmetric A: 28 multiplications and 29 additions.
template <class T>
CARDAN_INLINE Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& A) {
  const T l00 = A(0, 0) - A(2, 2), l11 = A(1, 1) - A(2, 2), l20 = A(2, 0) + A(2, 0), l21 = A(2, 1) + A(2, 1);
  T y[3][2];
  for (int i = 1; i < 3; ++i) {
    y[i][0] = R(i, 0) * l00 + R(i, 1) * A(1, 0) + R(i, 2) * l20;
    y[i][1] = R(i, 0) * A(1, 0) + R(i, 1) * l11 + R(i, 2) * l21;
  }
  const auto z = [&](int i, int j) CARDAN_INLINE_LAMBDA { return y[i][0] * R(j, 0) + y[i][1] * R(j, 1); };
  const T z11 = z(1, 1), z22 = z(2, 2), z00 = l00 + l11 - z11 - z22;
  const auto w = [&](int i) CARDAN_INLINE_LAMBDA { return R(i, 1) * A(2, 0) - R(i, 0) * A(2, 1); };
  return {z00 + A(2, 2), z11 + A(2, 2), z22 + A(2, 2), z(1, 0) + w(2), z(2, 0) - w(1), z(2, 1) + w(0)};
}
template <class T>
CARDAN_INLINE Sym3<T> rotate_back(const Mat3<T>& E, const Sym3<T>& A) {
  return rotate(transpose(E), A);
}

/// One axis: a 2x2 block turns with t = s(bb - cc) + c(bc + cb); the entries that share the axis turn as vectors.
template <int A, class T>
CARDAN_INLINE Sym3<T> rotate_back(const AxisRotation<A, T>& E, const Sym3<T>& m) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  const T t = E.s * (m(B, B) - m(C, C)) + E.c * (m(B, C) + m(B, C));
  Sym3<T> out(m);
  out(B, B) = m(B, B) - E.s * t;
  out(C, C) = m(C, C) + E.s * t;
  out(B, C) = E.c * t - m(B, C);
  out(A, B) = E.c * m(A, B) - E.s * m(A, C);
  out(A, C) = E.c * m(A, C) + E.s * m(A, B);
  return out;
}
template <int A, class T>
CARDAN_INLINE Mat3<T> rotate_back(const AxisRotation<A, T>& E, const Mat3<T>& m) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  const T t = E.s * (m(B, B) - m(C, C)) + E.c * (m(B, C) + m(C, B));
  Mat3<T> out(m);
  out(B, B) = m(B, B) - E.s * t;
  out(C, C) = m(C, C) + E.s * t;
  out(B, C) = E.c * t - m(C, B);
  out(C, B) = E.c * t - m(B, C);
  out(A, B) = E.c * m(A, B) - E.s * m(A, C);
  out(A, C) = E.c * m(A, C) + E.s * m(A, B);
  out(B, A) = E.c * m(B, A) - E.s * m(C, A);
  out(C, A) = E.c * m(C, A) + E.s * m(B, A);
  return out;
}
template <int A, class T>
CARDAN_INLINE auto rotate(const AxisRotation<A, T>& E, const Sym3<T>& m) {
  return rotate_back(AxisRotation<A, T>{E.c, -E.s}, m);
}
template <int A, class T>
CARDAN_INLINE auto rotate(const AxisRotation<A, T>& E, const Mat3<T>& m) {
  return rotate_back(AxisRotation<A, T>{E.c, -E.s}, m);
}

// --- products --------------------------------------------------------------------------------------------------

/// E1 E2 for two rotations: two rows by multiplication, the third as their cross product (24 m + 15 a).
template <class T>
CARDAN_INLINE Mat3<T> compose(const Mat3<T>& E1, const Mat3<T>& E2) {
  Mat3<T> out;
  out.row[0] = transpose_apply(E2, E1.row[0]);
  out.row[1] = transpose_apply(E2, E1.row[1]);
  out.row[2] = cross(out.row[0], out.row[1]);
  return out;
}
template <int A, class T>
CARDAN_INLINE Mat3<T> compose(const AxisRotation<A, T>& E1, const Mat3<T>& E2) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  Mat3<T> out(E2);
  out.row[B] = E1.c * E2.row[B] + E1.s * E2.row[C];
  out.row[C] = E1.c * E2.row[C] - E1.s * E2.row[B];
  return out;
}
template <class T>
CARDAN_INLINE const Mat3<T>& compose(NoRotation, const Mat3<T>& E2) {
  return E2;
}

template <class T>
CARDAN_INLINE Mat3<T> as_matrix(NoRotation) {
  return Mat3<T>::identity();
}
template <class T>
CARDAN_INLINE const Mat3<T>& as_matrix(const Mat3<T>& E) {
  return E;
}
template <class T, int A>
CARDAN_INLINE Mat3<T> as_matrix(const AxisRotation<A, T>& E) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  Mat3<T> out;
  out(A, A) = T(1.0);
  out(B, B) = E.c;
  out(C, C) = E.c;
  out(B, C) = E.s;
  out(C, B) = -E.s;
  return out;
}

}  // namespace cardan
