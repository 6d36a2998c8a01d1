// Articulated-body inertia with 21 numbers, [I H; H' M] (Table A.3), and its inverse, which maps force to motion.
#pragma once

#include "cardan/math/small_solve.hpp"
#include "cardan/spatial/inertia.hpp"

namespace cardan {

template <class T>
struct ArticulatedInertia {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;

  CARDAN_INLINE void operator+=(const ArticulatedInertia& o) {
    I += o.I;
    H += o.H;
    M += o.M;
  }
  CARDAN_INLINE void operator+=(const RigidBodyInertia<T>& o) {
    I += o.I;
    H(0, 1) -= o.h[2];
    H(0, 2) += o.h[1];
    H(1, 0) += o.h[2];
    H(1, 2) -= o.h[0];
    H(2, 0) -= o.h[1];
    H(2, 1) += o.h[0];
    for (int i = 0; i < 3; ++i) M(i, i) += o.m;
  }
  CARDAN_INLINE friend ArticulatedInertia operator+(ArticulatedInertia a, const ArticulatedInertia& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend ArticulatedInertia operator+(ArticulatedInertia a, const RigidBodyInertia<T>& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend ArticulatedInertia operator*(const T& s, const ArticulatedInertia& a) {
    return {s * a.I, s * a.H, s * a.M};
  }
  CARDAN_INLINE friend ForceVector<T> operator*(const ArticulatedInertia& a, const MotionVector<T>& v) {
    return {a.I * v.angular + a.H * v.linear, transpose_apply(a.H, v.angular) + a.M * v.linear};
  }
};

template <class T>
CARDAN_INLINE ArticulatedInertia<T> articulated(const RigidBodyInertia<T>& a) {
  return {a.I, skew(a.h), Sym3<T>{a.m, a.m, a.m, T(0.0), T(0.0), T(0.0)}};
}

namespace detail {
/// r x M for symmetric M: three of its products occur twice (15 m + 9 a).
template <class T>
CARDAN_INLINE Mat3<T> cross(const Vec3<T>& r, const Sym3<T>& M) {
  const T p = r[0] * M(1, 2), q = r[1] * M(0, 2), s = r[2] * M(0, 1);
  return mat3<T>(q - s, r[1] * M(1, 2) - r[2] * M(1, 1), r[1] * M(2, 2) - r[2] * M(1, 2),
                 r[2] * M(0, 0) - r[0] * M(0, 2), s - p, r[2] * M(0, 2) - r[0] * M(2, 2),
                 r[0] * M(0, 1) - r[1] * M(0, 0), r[0] * M(1, 1) - r[1] * M(0, 1), p - q);
}
/// Lower triangle of a + r x H' - Y r x, written row by row: (r x H')_ij = (r x H_j)_i and -(Y r x)_ij = (r x Y_i)_j.
template <class T>
CARDAN_INLINE Sym3<T> shifted(const Sym3<T>& a, const Vec3<T>& r, const Mat3<T>& H, const Mat3<T>& Y) {
  Sym3<T> out(a);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out(i, j) = a(i, j) + r[i1] * H(j, i2) - r[i2] * H(j, i1) + r[j1] * Y(i, j2) - r[j2] * Y(i, j1);
    }
  return out;
}
}  // namespace detail

/// X* I X^-1: to the new frame.
template <class T, class R>
CARDAN_INLINE ArticulatedInertia<T> operator*(const Transform<T, R>& X, const ArticulatedInertia<T>& a) {
  const Vec3<T> back = -X.r;
  const Mat3<T> Y = a.H - detail::cross(X.r, a.M);
  return {rotate(X.E, detail::shifted(a.I, back, a.H, Y)), rotate(X.E, Y), rotate(X.E, a.M)};
}

/// xlt(r)' I xlt(r): a shift of the frame by -r, as to a parent with parallel axes.
template <class T>
CARDAN_INLINE ArticulatedInertia<T> shift_back(const Vec3<T>& r, const ArticulatedInertia<T>& a) {
  const Mat3<T> Y = a.H + detail::cross(r, a.M);
  return {detail::shifted(a.I, r, a.H, Y), Y, a.M};
}

/// Computes the product with three multiplications more, but every one fused with an addition: six instructions fewer.
template <class T>
CARDAN_INLINE ArticulatedInertia<T> shift_back_fused(const Vec3<T>& r, const ArticulatedInertia<T>& a) {
  Mat3<T> Y;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      Y(i, j) = a.H(i, j) + r[i1] * a.M(i2, j) - r[i2] * a.M(i1, j);
    }
  return {detail::shifted(a.I, r, a.H, Y), Y, a.M};
}

template <class T, class R>
  requires(!std::same_as<R, NoRotation>)
CARDAN_INLINE ArticulatedInertia<T> rotate_back(const R& E, const ArticulatedInertia<T>& a) {
  return {rotate_back(E, a.I), rotate_back(E, a.H), rotate_back(E, a.M)};
}

/// X' I X: back to the old frame.
template <class T, class R>
CARDAN_INLINE ArticulatedInertia<T> transpose_apply(const Transform<T, R>& X, const ArticulatedInertia<T>& a) {
  return shift_back(X.r, rotate_back(X.E, a));
}

/// Inverse inertia: motion = Phi force. Stored like an articulated inertia, but it is another kind of thing.
template <class T>
struct InverseInertia {
  Sym3<T> A;
  Mat3<T> B;
  Sym3<T> C;

  CARDAN_INLINE friend MotionVector<T> operator*(const InverseInertia& a, const ForceVector<T>& f) {
    return {a.A * f.moment + a.B * f.force, transpose_apply(a.B, f.moment) + a.C * f.force};
  }
};

template <class T>
CARDAN_INLINE Sym3<T> inverse(const Sym3<T>& a) {
  const T c00 = a(1, 1) * a(2, 2) - a(1, 2) * a(1, 2), c01 = a(0, 2) * a(1, 2) - a(0, 1) * a(2, 2),
          c02 = a(0, 1) * a(1, 2) - a(0, 2) * a(1, 1);
  const T s = T(1.0) / (a(0, 0) * c00 + a(0, 1) * c01 + a(0, 2) * c02);
  return {s * c00, s * (a(0, 0) * a(2, 2) - a(0, 2) * a(0, 2)), s * (a(0, 0) * a(1, 1) - a(0, 1) * a(0, 1)), s * c01,
          s * c02, s * (a(0, 1) * a(0, 2) - a(0, 0) * a(1, 2))};
}

/// Inverse of a free rigid body's inertia in closed form (Eq. 2.74), from mass, center of mass and inertia about it.
template <class T>
InverseInertia<T> inverse_inertia(const T& mass, const Vec3<T>& com, const Sym3<T>& about_com) {
  const Sym3<T> J = inverse(about_com);
  const Mat3<T> cJ = cross(com, full(J));  // c x J^-1
  Sym3<T> C = lower_triangle(cJ * transpose(skew(com)));
  for (int i = 0; i < 3; ++i) C(i, i) += T(1.0) / mass;
  return {J, transpose(cJ), C};
}

/// Inverse of an articulated-body inertia by block elimination.
template <class T>
InverseInertia<T> inverse(const ArticulatedInertia<T>& a) {
  const Sym3<T> M1 = inverse(a.M);
  const Mat3<T> HM = a.H * full(M1);
  const Sym3<T> A = inverse(a.I - lower_triangle(HM * transpose(a.H)));
  const Mat3<T> AHM = full(A) * HM;
  Mat3<T> B = AHM;
  for (int i = 0; i < 3; ++i) B.row[i] = -B.row[i];
  return {A, B, M1 + lower_triangle(transpose(HM) * AHM)};
}

}  // namespace cardan
