// Small vectors of fixed size. Copies are element by element on purpose: block copies of just-written
// vectors stall store forwarding (measured: 2x in forward dynamics under gcc).
#pragma once

#include "cardan/math/scalar.hpp"

namespace cardan {

template <class T, int N>
struct Vector {
  T e[N > 0 ? N : 1];

  CARDAN_INLINE Vector() {
    for (int i = 0; i < N; ++i) e[i] = T(0.0);
  }
  template <class... U>
    requires(sizeof...(U) == N && N > 0 && (std::convertible_to<U, T> && ...))
  CARDAN_INLINE constexpr explicit(N == 1) Vector(const U&... u) : e{static_cast<T>(u)...} {}
  CARDAN_INLINE Vector(const Vector& o) {
    for (int i = 0; i < N; ++i) e[i] = o.e[i];
  }
  CARDAN_INLINE Vector& operator=(const Vector& o) {
    for (int i = 0; i < N; ++i) e[i] = o.e[i];
    return *this;
  }
  /// Converts a vector over another scalar (model constants are double).
  template <class U>
    requires(!std::same_as<U, T>)
  CARDAN_INLINE explicit Vector(const Vector<U, N>& o) {
    for (int i = 0; i < N; ++i) e[i] = T(o.e[i]);
  }

  CARDAN_INLINE T& operator[](int i) { return e[i]; }
  CARDAN_INLINE const T& operator[](int i) const { return e[i]; }

  CARDAN_INLINE void operator+=(const Vector& o) {
    for (int i = 0; i < N; ++i) e[i] += o.e[i];
  }
  CARDAN_INLINE void operator-=(const Vector& o) {
    for (int i = 0; i < N; ++i) e[i] -= o.e[i];
  }
  CARDAN_INLINE friend Vector operator+(Vector a, const Vector& b) {
    a += b;
    return a;
  }
  CARDAN_INLINE friend Vector operator-(Vector a, const Vector& b) {
    a -= b;
    return a;
  }
  CARDAN_INLINE friend Vector operator-(const Vector& a) {
    Vector out(a);
    for (int i = 0; i < N; ++i) out.e[i] = -a.e[i];
    return out;
  }
  CARDAN_INLINE friend Vector operator*(const T& s, const Vector& a) {
    Vector out(a);
    for (int i = 0; i < N; ++i) out.e[i] = s * a.e[i];
    return out;
  }
  CARDAN_INLINE friend Vector operator*(const Vector& a, const T& s) { return s * a; }
};

template <class T>
using Vec3 = Vector<T, 3>;

template <class T, int N>
CARDAN_INLINE T dot(const Vector<T, N>& a, const Vector<T, N>& b) {
  if constexpr (N == 0) {
    return T(0.0);
  } else {
    T sum = a[0] * b[0];
    for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
    return sum;
  }
}

template <class T>
CARDAN_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Sums written as one chain, term after term, because only then does each term become one fused multiply-add.

/// v + a x b.
template <class T>
CARDAN_INLINE Vec3<T> plus_cross(const Vec3<T>& v, const Vec3<T>& a, const Vec3<T>& b) {
  return {v[0] + a[1] * b[2] - a[2] * b[1], v[1] + a[2] * b[0] - a[0] * b[2], v[2] + a[0] * b[1] - a[1] * b[0]};
}
/// v - a x b.
template <class T>
CARDAN_INLINE Vec3<T> minus_cross(const Vec3<T>& v, const Vec3<T>& a, const Vec3<T>& b) {
  return {v[0] - a[1] * b[2] + a[2] * b[1], v[1] - a[2] * b[0] + a[0] * b[2], v[2] - a[0] * b[1] + a[1] * b[0]};
}

template <class T, int N>
CARDAN_INLINE T norm(const Vector<T, N>& a) {
  return sqrt(dot(a, a));
}

}  // namespace cardan
