// Rotations: exponential, logarithm and tangent operator of SO(3) (Holzinger et al., Eqs. 14 to 16), and unit
// quaternions. R takes body coordinates to parent coordinates, so the book's E is its transpose; a quaternion is
// (w, x, y, z); phi is the rotation vector and omega = T(phi) phi_dot the body-fixed angular velocity.
#pragma once

#include "cardan/math/matrix.hpp"

#include <array>

namespace cardan {

template <class T>
using Quaternion = Vector<T, 4>;

namespace detail {

template <class T, std::size_t N>
CARDAN_INLINE T horner(const std::array<double, N>& c, const T& t) {
  T sum = T(c[N - 1]);
  for (std::size_t k = N - 1; k-- > 0;) sum = T(c[k]) + t * sum;
  return sum;
}

/// Coefficients of the Stumpff function c_n(t) = 1/n! - t/(n+2)! + t^2/(n+4)! - ...
template <int n, int terms>
constexpr std::array<double, terms> stumpff_series() {
  std::array<double, terms> out{};
  long double a = 1;
  for (int i = 2; i <= n; ++i) a /= i;
  for (int k = 0; k < terms; ++k) {
    out[static_cast<std::size_t>(k)] = static_cast<double>(a);
    a /= -static_cast<long double>(2 * k + n + 1) * (2 * k + n + 2);
  }
  return out;
}

/// 1 - x/3 + x^2/5 - ..., which is atan(sqrt(x)) / sqrt(x).
template <int terms>
constexpr std::array<double, terms> atan_series() {
  std::array<double, terms> out{};
  for (int k = 0; k < terms; ++k) out[static_cast<std::size_t>(k)] = (k % 2 ? -1.0 : 1.0) / (2 * k + 1);
  return out;
}

/// Cosine and (sine / angle) of half the angle whose square is t. The series serves up to one radian because a
/// scalar with derivatives would divide rounding noise by the angle.
template <class T>
struct HalfAngle {
  T cosine, sinc;

  CARDAN_INLINE explicit HalfAngle(const T& t) {
    constexpr auto cos_series = stumpff_series<0, 9>(), sinc_series = stumpff_series<1, 9>();
    const T limit(1.0), quarter = T(0.25) * t;
    const T half = sqrt(select_less(t, limit, limit, quarter));
    cosine = select_less(t, limit, horner(cos_series, select_less(t, limit, quarter, limit)), cos(half));
    sinc = select_less(t, limit, horner(sinc_series, select_less(t, limit, quarter, limit)), sin(half) / half);
  }
};

/// Stumpff functions of t = phi^2, in which every coefficient of the tangent operators is linear:
/// c1 = sin(phi)/phi, c2 = (1 - cos(phi))/phi^2, c_n = 1/n! - t c_{n+2}, and 2 dc_n/dt = n c_{n+2} - c_{n+1}.
/// Going up (c3 from c1, ...) cancels at small angles, going down at large ones: below phi = 4 they come from the
/// series of c5 and c6, above from c1 and c2. Both ways are good to 1e-15 relative.
template <class T>
struct Stumpff {
  T c1, c2, c3, c4, c5, c6;

  CARDAN_INLINE explicit Stumpff(const T& t) {
    constexpr auto c5_series = stumpff_series<5, 15>(), c6_series = stumpff_series<6, 15>();
    const HalfAngle<T> half(t);
    c1 = half.cosine * half.sinc;
    c2 = T(0.5) * half.sinc * half.sinc;
    const T limit(16.0), small = select_less(t, limit, t, limit);
    const T inverse = T(1.0) / select_less(t, limit, limit, t);
    const T sixth = T(1.0 / 6.0), twentyfourth = T(1.0 / 24.0);
    const T low5 = horner(c5_series, small), low6 = horner(c6_series, small);
    c3 = select_less(t, limit, sixth - small * low5, inverse * (T(1.0) - c1));
    c4 = select_less(t, limit, twentyfourth - small * low6, inverse * (T(0.5) - c2));
    c5 = select_less(t, limit, low5, inverse * (sixth - c3));
    c6 = select_less(t, limit, low6, inverse * (twentyfourth - c4));
  }
  /// 2 dc2/dt and 2 dc3/dt: the rate of c_n along phi_dot is this times phi . phi_dot.
  CARDAN_INLINE T slope2() const { return T(2.0) * c4 - c3; }
  CARDAN_INLINE T slope3() const { return T(3.0) * c5 - c4; }
  /// k1 = (1 - phi/2 cot(phi/2)) / phi^2 of the inverse tangent operator, and 2 dk1/dt.
  CARDAN_INLINE T k1() const { return (T(0.5) * c3 - c4) / c2; }
  CARDAN_INLINE T k1_slope() const { return (T(0.5) * c5 - T(2.0) * c6) / c2; }
};

/// [a]x [b]x + [b]x [a]x = a b' + b a' - 2 (a.b) 1.
template <class T>
CARDAN_INLINE Sym3<T> anticommutator(const Vec3<T>& a, const Vec3<T>& b) {
  const T xx = a[0] * b[0], yy = a[1] * b[1], zz = a[2] * b[2], minus_two(-2.0);
  return {minus_two * (yy + zz),     minus_two * (xx + zz),     minus_two * (xx + yy),
          a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0], a[1] * b[2] + a[2] * b[1]};
}

/// [a]x [a]x.
template <class T>
CARDAN_INLINE Sym3<T> skew_square(const Vec3<T>& a) {
  const T xx = a[0] * a[0], yy = a[1] * a[1], zz = a[2] * a[2];
  return {-(yy + zz), -(xx + zz), -(xx + yy), a[0] * a[1], a[0] * a[2], a[1] * a[2]};
}

/// S + [a]x.
template <class T>
CARDAN_INLINE Mat3<T> add_skew(const Sym3<T>& S, const Vec3<T>& a) {
  const auto& e = S.e;
  return mat3<T>(e[0], e[3] - a[2], e[4] + a[1], e[3] + a[2], e[1], e[5] - a[0], e[4] - a[1], e[5] + a[0], e[2]);
}

/// 1 + a [phi]x + b [phi]x^2.
template <class T>
CARDAN_INLINE Mat3<T> rodrigues(const T& a, const T& b, const Vec3<T>& phi) {
  Sym3<T> S = b * skew_square(phi);
  for (int i = 0; i < 3; ++i) S(i, i) += T(1.0);
  return add_skew(S, a * phi);
}

}  // namespace detail

// ---- quaternions ----

/// a b: the rotation b, then a.
template <class T>
CARDAN_INLINE Quaternion<T> quaternion_product(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

/// The inverse rotation of a unit quaternion.
template <class T>
CARDAN_INLINE Quaternion<T> quaternion_conjugate(const Quaternion<T>& q) {
  return {q[0], -q[1], -q[2], -q[3]};
}

template <class T>
CARDAN_INLINE Quaternion<T> quaternion_normalize(const Quaternion<T>& q) {
  return (T(1.0) / norm(q)) * q;
}

/// The quaternion of the rotation vector phi; w < 0 for angles between pi and 3 pi.
template <class T>
CARDAN_INLINE Quaternion<T> quaternion_exp(const Vec3<T>& phi) {
  const detail::HalfAngle<T> half(dot(phi, phi));
  const T s = T(0.5) * half.sinc;
  return {half.cosine, s * phi[0], s * phi[1], s * phi[2]};
}

/// The rotation vector of a quaternion, |phi| <= pi. q and -q, and any positive multiple, give the same.
template <class T>
CARDAN_INLINE Vec3<T> quaternion_log(const Quaternion<T>& q) {
  constexpr auto series = detail::atan_series<13>();
  const T zero(0.0), one(1.0), sign = select_less(q[0], zero, T(-1.0), one);
  const T w = sign * q[0];
  const Vec3<T> v{q[1], q[2], q[3]};
  const T square = dot(v, v), limit = T(0.04) * (w * w);
  // half the angle = atan2(|v|, w); where |v| is small against w, the series of atan(x)/x in x = |v|/w
  const T safe_w = select_less(square, limit, w, one), ratio = select_less(square, limit, square, zero);
  const T inverse_w = one / safe_w;
  const T n = sqrt(select_less(square, limit, one, square));
  const T factor = select_less(square, limit, inverse_w * detail::horner(series, ratio * inverse_w * inverse_w),
                               atan2(n, w) / select_less(zero, n, n, one));
  return (T(2.0) * sign * factor) * v;
}

/// R of a unit quaternion.
template <class T>
CARDAN_INLINE Mat3<T> quaternion_to_matrix(const Quaternion<T>& q) {
  const T two(2.0);
  return detail::rodrigues<T>(two * q[0], two, Vec3<T>{q[1], q[2], q[3]});
}

/// The unit quaternion with w >= 0 of a rotation matrix, accurate at every angle: of the four rows of 4 q q', which
/// are linear in R, the one with the largest diagonal is normalized (Shepperd).
template <class T>
CARDAN_INLINE Quaternion<T> quaternion_from_matrix(const Mat3<T>& R) {
  const T one(1.0), zero(0.0);
  const T x = R(2, 1) - R(1, 2), y = R(0, 2) - R(2, 0), z = R(1, 0) - R(0, 1);
  const T xy = R(1, 0) + R(0, 1), xz = R(0, 2) + R(2, 0), yz = R(2, 1) + R(1, 2);
  const Quaternion<T> rows[4] = {{one + R(0, 0) + R(1, 1) + R(2, 2), x, y, z},
                                 {x, one + R(0, 0) - R(1, 1) - R(2, 2), xy, xz},
                                 {y, xy, one - R(0, 0) + R(1, 1) - R(2, 2), yz},
                                 {z, xz, yz, one - R(0, 0) - R(1, 1) + R(2, 2)}};
  Quaternion<T> best = rows[0];
  T largest = rows[0][0];
  for (int i = 1; i < 4; ++i) {
    const T candidate = rows[i][i];
    for (int k = 0; k < 4; ++k) best[k] = select_less(largest, candidate, rows[i][k], best[k]);
    largest = select_less(largest, candidate, candidate, largest);
  }
  return (select_less(best[0], zero, T(-1.0), one) / norm(best)) * best;
}

// ---- the exponential map ----

/// R = 1 + sin(phi)/phi [phi]x + 2 sin^2(phi/2)/phi^2 [phi]x^2 (Eq. 14, without the cancellation of 1 - cos).
template <class T>
CARDAN_INLINE Mat3<T> exp_so3(const Vec3<T>& phi) {
  const detail::HalfAngle<T> half(dot(phi, phi));
  return detail::rodrigues<T>(half.cosine * half.sinc, T(0.5) * half.sinc * half.sinc, phi);
}

/// The rotation vector of R, |phi| <= pi; at pi exactly either of the two.
template <class T>
CARDAN_INLINE Vec3<T> log_so3(const Mat3<T>& R) {
  return quaternion_log(quaternion_from_matrix(R));
}

/// T(phi) = 1 - c2 [phi]x + c3 [phi]x^2 (Eq. 15): omega = T(phi) phi_dot, with [omega]x = R' R_dot.
template <class T>
CARDAN_INLINE Mat3<T> tangent_so3(const Vec3<T>& phi) {
  const detail::Stumpff<T> s(dot(phi, phi));
  return detail::rodrigues<T>(-s.c2, s.c3, phi);
}

/// T^-1 = 1 + [phi]x/2 + k1 [phi]x^2 (Eq. 16, corrected). Singular at |phi| = 2 pi.
template <class T>
CARDAN_INLINE Mat3<T> tangent_so3_inverse(const Vec3<T>& phi) {
  const detail::Stumpff<T> s(dot(phi, phi));
  return detail::rodrigues<T>(T(0.5), s.k1(), phi);
}

/// d/dt T(phi(t)) as a matrix; linear in phi_dot, so also the derivative in the direction phi_dot.
template <class T>
CARDAN_INLINE Mat3<T> tangent_so3_rate(const Vec3<T>& phi, const Vec3<T>& phi_dot) {
  const detail::Stumpff<T> s(dot(phi, phi));
  const T p = dot(phi, phi_dot);
  const Sym3<T> even = (p * s.slope3()) * detail::skew_square(phi) + s.c3 * detail::anticommutator(phi, phi_dot);
  return detail::add_skew(even, -((p * s.slope2()) * phi + s.c2 * phi_dot));
}

/// d/dt T^-1(phi(t)) as a matrix, likewise.
template <class T>
CARDAN_INLINE Mat3<T> tangent_so3_inverse_rate(const Vec3<T>& phi, const Vec3<T>& phi_dot) {
  const detail::Stumpff<T> s(dot(phi, phi));
  const T p = dot(phi, phi_dot);
  const Sym3<T> even = (p * s.k1_slope()) * detail::skew_square(phi) + s.k1() * detail::anticommutator(phi, phi_dot);
  return detail::add_skew(even, T(0.5) * phi_dot);
}

}  // namespace cardan
