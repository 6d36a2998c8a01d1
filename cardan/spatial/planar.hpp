// Planar vectors (Featherstone section 2.16 and Table A.1): spatial ones restricted to the x-y plane by keeping the
// coordinates 3, 4, 5 (angular z, linear x, linear y). Motions and forces are different types, as in space.
#pragma once

#include "cardan/math/matrix.hpp"

namespace cardan {

/// Angular velocity (or acceleration, ...) w, and the linear one (x, y) of the body-fixed point at the origin.
template <class T>
struct PlanarMotion {
  T w{0.0}, x{0.0}, y{0.0};

  CARDAN_INLINE void operator+=(const PlanarMotion& o) { *this = *this + o; }
  CARDAN_INLINE void operator-=(const PlanarMotion& o) { *this = *this - o; }
  CARDAN_INLINE friend PlanarMotion operator+(const PlanarMotion& a, const PlanarMotion& b) {
    return {a.w + b.w, a.x + b.x, a.y + b.y};
  }
  CARDAN_INLINE friend PlanarMotion operator-(const PlanarMotion& a, const PlanarMotion& b) {
    return {a.w - b.w, a.x - b.x, a.y - b.y};
  }
  CARDAN_INLINE friend PlanarMotion operator-(const PlanarMotion& a) { return {-a.w, -a.x, -a.y}; }
  CARDAN_INLINE friend PlanarMotion operator*(const T& s, const PlanarMotion& a) { return {s * a.w, s * a.x, s * a.y}; }
};

/// Moment n about the origin and force (x, y).
template <class T>
struct PlanarForce {
  T n{0.0}, x{0.0}, y{0.0};

  CARDAN_INLINE void operator+=(const PlanarForce& o) { *this = *this + o; }
  CARDAN_INLINE void operator-=(const PlanarForce& o) { *this = *this - o; }
  CARDAN_INLINE friend PlanarForce operator+(const PlanarForce& a, const PlanarForce& b) {
    return {a.n + b.n, a.x + b.x, a.y + b.y};
  }
  CARDAN_INLINE friend PlanarForce operator-(const PlanarForce& a, const PlanarForce& b) {
    return {a.n - b.n, a.x - b.x, a.y - b.y};
  }
  CARDAN_INLINE friend PlanarForce operator-(const PlanarForce& a) { return {-a.n, -a.x, -a.y}; }
  CARDAN_INLINE friend PlanarForce operator*(const T& s, const PlanarForce& a) { return {s * a.n, s * a.x, s * a.y}; }
};

template <class T>
CARDAN_INLINE T dot(const PlanarMotion<T>& m, const PlanarForce<T>& f) {
  return m.w * f.n + m.x * f.x + m.y * f.y;
}
template <class T>
CARDAN_INLINE T dot(const PlanarForce<T>& f, const PlanarMotion<T>& m) {
  return dot(m, f);
}

/// v x m (Eq. 2.76).
template <class T>
CARDAN_INLINE PlanarMotion<T> cross(const PlanarMotion<T>& v, const PlanarMotion<T>& m) {
  return {T(0.0), v.y * m.w - v.w * m.y, v.w * m.x - v.x * m.w};
}

/// v x* f = -(v x)' f.
template <class T>
CARDAN_INLINE PlanarForce<T> cross(const PlanarMotion<T>& v, const PlanarForce<T>& f) {
  return {v.x * f.y - v.y * f.x, -(v.w * f.y), v.w * f.x};
}

/// The matrix of v x (Eq. 2.75).
template <class T>
CARDAN_INLINE Mat3<T> crm(const PlanarMotion<T>& v) {
  const T o(0.0);
  return mat3<T>(o, o, o, v.y, o, -v.w, -v.x, v.w, o);
}

/// The matrix of v x*.
template <class T>
CARDAN_INLINE Mat3<T> crf(const PlanarMotion<T>& v) {
  const T o(0.0);
  return mat3<T>(o, -v.y, v.x, o, o, -v.w, o, v.w, o);
}

/// Takes coordinates to a frame whose origin is at (x, y) in the old one and that is turned by the angle with cosine c
/// and sine s (Eq. 2.77).
template <class T>
struct PlanarTransform {
  T c{1.0}, s{0.0}, x{0.0}, y{0.0};

  /// Components in the old axes -> components in the new axes.
  CARDAN_INLINE Vector<T, 2> rotate(const T& a, const T& b) const { return {c * a + s * b, c * b - s * a}; }
  CARDAN_INLINE Vector<T, 2> rotate_back(const T& a, const T& b) const { return {c * a - s * b, s * a + c * b}; }
};

/// From the angle of rotation and the new origin.
template <class T>
CARDAN_INLINE PlanarTransform<T> planar_transform(const T& theta, const T& x, const T& y) {
  return {cos(theta), sin(theta), x, y};
}

/// The 3x3 matrix X of motions; that of forces is its inverse transpose.
template <class T>
CARDAN_INLINE Mat3<T> full(const PlanarTransform<T>& X) {
  const T o(0.0);
  return mat3<T>(T(1.0), o, o, X.s * X.x - X.c * X.y, X.c, X.s, X.c * X.x + X.s * X.y, -X.s, X.c);
}

/// X m.
template <class T>
CARDAN_INLINE PlanarMotion<T> operator*(const PlanarTransform<T>& X, const PlanarMotion<T>& m) {
  const auto v = X.rotate(m.x - X.y * m.w, m.y + X.x * m.w);
  return {m.w, v[0], v[1]};
}

/// X^-1 m.
template <class T>
CARDAN_INLINE PlanarMotion<T> inverse_apply(const PlanarTransform<T>& X, const PlanarMotion<T>& m) {
  const auto v = X.rotate_back(m.x, m.y);
  return {m.w, v[0] + X.y * m.w, v[1] - X.x * m.w};
}

/// X* f: a force to the new frame.
template <class T>
CARDAN_INLINE PlanarForce<T> operator*(const PlanarTransform<T>& X, const PlanarForce<T>& f) {
  const auto v = X.rotate(f.x, f.y);
  return {f.n - X.x * f.y + X.y * f.x, v[0], v[1]};
}

/// X' f: a force back from the new frame.
template <class T>
CARDAN_INLINE PlanarForce<T> transpose_apply(const PlanarTransform<T>& X, const PlanarForce<T>& f) {
  const auto v = X.rotate_back(f.x, f.y);
  return {f.n + X.x * v[1] - X.y * v[0], v[0], v[1]};
}

/// X1 X2: first X2, then X1.
template <class T>
CARDAN_INLINE PlanarTransform<T> operator*(const PlanarTransform<T>& X1, const PlanarTransform<T>& X2) {
  const auto r = X2.rotate_back(X1.x, X1.y);
  return {X1.c * X2.c - X1.s * X2.s, X1.s * X2.c + X1.c * X2.s, X2.x + r[0], X2.y + r[1]};
}

template <class T>
CARDAN_INLINE PlanarTransform<T> inverse(const PlanarTransform<T>& X) {
  const auto r = X.rotate(X.x, X.y);
  return {X.c, -X.s, -r[0], -r[1]};
}

/// The motion v that carries the old frame to the new one in unit time, to first order; v = X v (Table A.1).
template <class T>
CARDAN_INLINE PlanarMotion<T> displacement_simple(const PlanarTransform<T>& X) {
  return {X.s, X.c * X.x + X.s * X.y, X.c * X.y - X.s * X.x};
}

/// Approximates the motion to second order: a multiple, by sin(theta)/theta, of the exact motion, and exact for a
/// translation.
template <class T>
CARDAN_INLINE PlanarMotion<T> displacement_accurate(const PlanarTransform<T>& X) {
  const T half(0.5), one(1.0), a = X.c * X.x + X.s * X.y, b = X.s * X.x - X.c * X.y;
  return {X.s, half * ((one + X.c) * a + X.s * b), half * (X.s * a - (one + X.c) * b)};
}

/// Mass m, first moment h = m c, moment of inertia I about the origin: [I -hy hx; -hy m 0; hx 0 m] (Eq. 2.78).
template <class T>
struct PlanarInertia {
  T m{0.0}, hx{0.0}, hy{0.0}, I{0.0};

  CARDAN_INLINE void operator+=(const PlanarInertia& o) { *this = *this + o; }
  CARDAN_INLINE friend PlanarInertia operator+(const PlanarInertia& a, const PlanarInertia& b) {
    return {a.m + b.m, a.hx + b.hx, a.hy + b.hy, a.I + b.I};
  }
  CARDAN_INLINE friend PlanarForce<T> operator*(const PlanarInertia& a, const PlanarMotion<T>& v) {
    return {a.I * v.w + a.hx * v.y - a.hy * v.x, a.m * v.x - a.hy * v.w, a.m * v.y + a.hx * v.w};
  }
};

/// From mass, center of mass and moment of inertia about it.
template <class T>
CARDAN_INLINE PlanarInertia<T> planar_inertia(const T& mass, const T& cx, const T& cy, const T& about_com) {
  const T hx = mass * cx, hy = mass * cy;
  return {mass, hx, hy, about_com + hx * cx + hy * cy};
}

template <class T>
CARDAN_INLINE Mat3<T> full(const PlanarInertia<T>& a) {
  const T o(0.0);
  return mat3<T>(a.I, -a.hy, a.hx, -a.hy, a.m, o, a.hx, o, a.m);
}

/// X* I X^-1: the inertia in the new frame.
template <class T>
CARDAN_INLINE PlanarInertia<T> operator*(const PlanarTransform<T>& X, const PlanarInertia<T>& a) {
  const T kx = a.hx - a.m * X.x, ky = a.hy - a.m * X.y;
  const auto h = X.rotate(kx, ky);
  return {a.m, h[0], h[1], a.I - X.x * (a.hx + kx) - X.y * (a.hy + ky)};
}

/// X' I X: the inertia back in the old frame.
template <class T>
CARDAN_INLINE PlanarInertia<T> transpose_apply(const PlanarTransform<T>& X, const PlanarInertia<T>& a) {
  const auto h = X.rotate_back(a.hx, a.hy);
  const T kx = h[0] + a.m * X.x, ky = h[1] + a.m * X.y;
  return {a.m, kx, ky, a.I + X.x * (h[0] + kx) + X.y * (h[1] + ky)};
}

/// [I Hx Hy; Hx Mxx Mxy; Hy Mxy Myy], six numbers. A rigid body has H = (-hy, hx) and M = m 1.
template <class T>
struct PlanarArticulatedInertia {
  T I{0.0}, Hx{0.0}, Hy{0.0}, Mxx{0.0}, Mxy{0.0}, Myy{0.0};

  CARDAN_INLINE PlanarArticulatedInertia() = default;
  CARDAN_INLINE PlanarArticulatedInertia(const T& i, const T& hx, const T& hy, const T& xx, const T& xy, const T& yy)
      : I(i), Hx(hx), Hy(hy), Mxx(xx), Mxy(xy), Myy(yy) {}
  CARDAN_INLINE explicit PlanarArticulatedInertia(const PlanarInertia<T>& a)
      : I(a.I), Hx(-a.hy), Hy(a.hx), Mxx(a.m), Myy(a.m) {}

  CARDAN_INLINE void operator+=(const PlanarArticulatedInertia& o) { *this = *this + o; }
  CARDAN_INLINE void operator+=(const PlanarInertia<T>& o) { *this = *this + o; }
  CARDAN_INLINE friend PlanarArticulatedInertia operator+(const PlanarArticulatedInertia& a,
                                                          const PlanarArticulatedInertia& b) {
    return {a.I + b.I, a.Hx + b.Hx, a.Hy + b.Hy, a.Mxx + b.Mxx, a.Mxy + b.Mxy, a.Myy + b.Myy};
  }
  CARDAN_INLINE friend PlanarArticulatedInertia operator-(const PlanarArticulatedInertia& a,
                                                          const PlanarArticulatedInertia& b) {
    return {a.I - b.I, a.Hx - b.Hx, a.Hy - b.Hy, a.Mxx - b.Mxx, a.Mxy - b.Mxy, a.Myy - b.Myy};
  }
  CARDAN_INLINE friend PlanarArticulatedInertia operator+(const PlanarArticulatedInertia& a,
                                                          const PlanarInertia<T>& b) {
    return {a.I + b.I, a.Hx - b.hy, a.Hy + b.hx, a.Mxx + b.m, a.Mxy, a.Myy + b.m};
  }
  CARDAN_INLINE friend PlanarForce<T> operator*(const PlanarArticulatedInertia& a, const PlanarMotion<T>& v) {
    return {a.I * v.w + a.Hx * v.x + a.Hy * v.y, a.Hx * v.w + a.Mxx * v.x + a.Mxy * v.y,
            a.Hy * v.w + a.Mxy * v.x + a.Myy * v.y};
  }
};

template <class T>
CARDAN_INLINE Mat3<T> full(const PlanarArticulatedInertia<T>& a) {
  return mat3<T>(a.I, a.Hx, a.Hy, a.Hx, a.Mxx, a.Mxy, a.Hy, a.Mxy, a.Myy);
}

namespace detail {
/// H and M in axes turned by the angle with cosine c and sine s. M turns by t = s (Mxx - Myy) - 2 c Mxy.
template <class T>
CARDAN_INLINE PlanarArticulatedInertia<T> turn(const T& c, const T& s, const PlanarArticulatedInertia<T>& a) {
  const T t = s * (a.Mxx - a.Myy) - c * (a.Mxy + a.Mxy), st = s * t;
  return {a.I, c * a.Hx + s * a.Hy, c * a.Hy - s * a.Hx, a.Mxx - st, -(c * t) - a.Mxy, a.Myy + st};
}

/// Expresses an inertia about an origin at (x, y).
template <class T>
CARDAN_INLINE PlanarArticulatedInertia<T> shift(const T& x, const T& y, const PlanarArticulatedInertia<T>& a) {
  const T kx = a.Hx + y * a.Mxx - x * a.Mxy, ky = a.Hy + y * a.Mxy - x * a.Myy;
  return {a.I + y * (a.Hx + kx) - x * (a.Hy + ky), kx, ky, a.Mxx, a.Mxy, a.Myy};
}
}  // namespace detail

/// X* I X^-1.
template <class T>
CARDAN_INLINE PlanarArticulatedInertia<T> operator*(const PlanarTransform<T>& X, const PlanarArticulatedInertia<T>& a) {
  return detail::turn(X.c, X.s, detail::shift(X.x, X.y, a));
}

/// X' I X.
template <class T>
CARDAN_INLINE PlanarArticulatedInertia<T> transpose_apply(const PlanarTransform<T>& X,
                                                          const PlanarArticulatedInertia<T>& a) {
  return detail::shift<T>(-X.x, -X.y, detail::turn<T>(X.c, -X.s, a));
}

}  // namespace cardan
