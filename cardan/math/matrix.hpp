// 3x3 matrices, general (Mat3) and symmetric with six numbers (Sym3), and small dense N x M ones.
#pragma once

#include "cardan/math/vector.hpp"

namespace cardan {

/// Rows by columns, row-major.
template <class T, int N, int M>
struct Matrix {
  Vector<T, M> row[N > 0 ? N : 1];

  CARDAN_INLINE Matrix() = default;
  template <class U>
    requires(!std::same_as<U, T>)
  CARDAN_INLINE explicit Matrix(const Matrix<U, N, M>& o) {
    for (int i = 0; i < N; ++i) row[i] = Vector<T, M>(o.row[i]);
  }
  CARDAN_INLINE T& operator()(int i, int j) { return row[i][j]; }
  CARDAN_INLINE const T& operator()(int i, int j) const { return row[i][j]; }

  static CARDAN_INLINE Matrix identity() requires(N == M) {
    Matrix out;
    for (int i = 0; i < N; ++i) out(i, i) = T(1.0);
    return out;
  }
  CARDAN_INLINE void operator+=(const Matrix& o) {
    for (int i = 0; i < N; ++i) row[i] += o.row[i];
  }
  CARDAN_INLINE void operator-=(const Matrix& o) {
    for (int i = 0; i < N; ++i) row[i] -= o.row[i];
  }
  CARDAN_INLINE friend Matrix operator+(Matrix a, const Matrix& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend Matrix operator-(Matrix a, const Matrix& b) {
    a -= b;
    return a;
  }
  CARDAN_INLINE friend Matrix operator*(const T& s, Matrix a) {
    for (int i = 0; i < N; ++i) a.row[i] = s * a.row[i];
    return a;
  }
};

template <class T>
using Mat3 = Matrix<T, 3, 3>;

template <class T>
CARDAN_INLINE Mat3<T> mat3(const T& xx, const T& xy, const T& xz, const T& yx, const T& yy, const T& yz, const T& zx,
                           const T& zy, const T& zz) {
  Mat3<T> m;
  m.row[0] = Vec3<T>{xx, xy, xz};
  m.row[1] = Vec3<T>{yx, yy, yz};
  m.row[2] = Vec3<T>{zx, zy, zz};
  return m;
}

template <class T, int N, int M>
CARDAN_INLINE Vector<T, N> operator*(const Matrix<T, N, M>& a, const Vector<T, M>& x) {
  Vector<T, N> y;
  for (int i = 0; i < N; ++i) y[i] = dot(a.row[i], x);
  return y;
}

/// v + a x, as one chain of multiply-adds in each row.
template <class T, int N, int M>
CARDAN_INLINE Vector<T, N> plus_product(const Vector<T, N>& v, const Matrix<T, N, M>& a, const Vector<T, M>& x) {
  Vector<T, N> y(v);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) y[i] = y[i] + a(i, j) * x[j];
  return y;
}

/// a^T x without forming the transpose.
template <class T, int N, int M>
CARDAN_INLINE Vector<T, M> transpose_apply(const Matrix<T, N, M>& a, const Vector<T, N>& x) {
  Vector<T, M> y = x[0] * a.row[0];
  for (int i = 1; i < N; ++i) y = y + x[i] * a.row[i];
  return y;
}

template <class T, int N, int M, int K>
CARDAN_INLINE Matrix<T, N, K> operator*(const Matrix<T, N, M>& a, const Matrix<T, M, K>& b) {
  Matrix<T, N, K> out;
  for (int i = 0; i < N; ++i) out.row[i] = transpose_apply(b, a.row[i]);
  return out;
}

template <class T, int N, int M>
CARDAN_INLINE Matrix<T, M, N> transpose(const Matrix<T, N, M>& a) {
  Matrix<T, M, N> out;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) out(j, i) = a(i, j);
  return out;
}

/// [a]x, the matrix of the cross product.
template <class T>
CARDAN_INLINE Mat3<T> skew(const Vec3<T>& a) {
  const T o(0.0);
  return mat3<T>(o, -a[2], a[1], a[2], o, -a[0], -a[1], a[0], o);
}

/// r x M without multiplying by the zeros of skew(r): column by column.
template <class T>
CARDAN_INLINE Mat3<T> cross(const Vec3<T>& r, const Mat3<T>& m) {
  Mat3<T> out;
  for (int j = 0; j < 3; ++j) {
    out(0, j) = r[1] * m(2, j) - r[2] * m(1, j);
    out(1, j) = r[2] * m(0, j) - r[0] * m(2, j);
    out(2, j) = r[0] * m(1, j) - r[1] * m(0, j);
  }
  return out;
}

/// Symmetric 3x3 as six numbers.
template <class T>
struct Sym3 {
  Vector<T, 6> e;  // xx yy zz xy xz yz

  CARDAN_INLINE Sym3() = default;
  CARDAN_INLINE Sym3(const T& xx, const T& yy, const T& zz, const T& xy, const T& xz, const T& yz)
      : e{xx, yy, zz, xy, xz, yz} {}
  template <class U>
    requires(!std::same_as<U, T>)
  CARDAN_INLINE explicit Sym3(const Sym3<U>& o) : e(o.e) {}

  static CARDAN_INLINE constexpr int index(int i, int j) { return i == j ? i : i + j + 2; }
  CARDAN_INLINE T& operator()(int i, int j) { return e[index(i, j)]; }
  CARDAN_INLINE const T& operator()(int i, int j) const { return e[index(i, j)]; }

  CARDAN_INLINE void operator+=(const Sym3& o) { e += o.e; }
  CARDAN_INLINE void operator-=(const Sym3& o) { e -= o.e; }
  CARDAN_INLINE friend Sym3 operator+(Sym3 a, const Sym3& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend Sym3 operator-(Sym3 a, const Sym3& b) {
    a -= b;
    return a;
  }
  CARDAN_INLINE friend Sym3 operator*(const T& s, Sym3 a) {
    a.e = s * a.e;
    return a;
  }
  CARDAN_INLINE friend Vec3<T> operator*(const Sym3& a, const Vec3<T>& x) {
    return {a.e[0] * x[0] + a.e[3] * x[1] + a.e[4] * x[2], a.e[3] * x[0] + a.e[1] * x[1] + a.e[5] * x[2],
            a.e[4] * x[0] + a.e[5] * x[1] + a.e[2] * x[2]};
  }
};

template <class T>
CARDAN_INLINE Mat3<T> full(const Sym3<T>& a) {
  return mat3<T>(a.e[0], a.e[3], a.e[4], a.e[3], a.e[1], a.e[5], a.e[4], a.e[5], a.e[2]);
}

/// The symmetric matrix whose lower triangle is that of a.
template <class T>
CARDAN_INLINE Sym3<T> lower_triangle(const Mat3<T>& a) {
  return {a(0, 0), a(1, 1), a(2, 2), a(1, 0), a(2, 0), a(2, 1)};
}

}  // namespace cardan
