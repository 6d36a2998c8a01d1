// Changing the order of Euler angles before they lock. For axes i, j and the third one k, with s = 1 where i, j, k are
// right-handed and -1 where not, R = R_i(a) R_j(b) R_k'(c) gives
//   k' = i:  R_ii = cos b, R_ji = sin a sin b, R_ki = -s cos a sin b, R_ij = sin b sin c, R_ik = s sin b cos c;
//   k' = k:  R_ik = s sin b, R_jk = -s sin a cos b, R_kk = cos a cos b, R_ij = -s cos b sin c, R_ii = cos b cos c.
// |det S| is |sin b| in the first case and |cos b| in the second.
#include "cardan/joints/spherical_euler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan {

namespace {

/// The orders of REDMAX, whose place in this list decides between equals.
constexpr std::array<std::array<int, 3>, 12> kOrders{{{0, 1, 0},
                                                      {0, 2, 0},
                                                      {1, 2, 1},
                                                      {1, 0, 1},
                                                      {2, 0, 2},
                                                      {2, 1, 2},
                                                      {0, 1, 2},
                                                      {0, 2, 1},
                                                      {1, 2, 0},
                                                      {1, 0, 2},
                                                      {2, 0, 1},
                                                      {2, 1, 0}}};

}  // namespace

JointKinematics<double, 3> SphericalEuler::at(const double* q) const {
  double s[3], c[3];
  sincos_all(q, 3, s, c);
  return (*this)(Coordinates<double>{q, s, c}, Vector<double, 3>{});
}

Mat3<double> SphericalEuler::orientation(const double* q) const { return transpose(at(q).E); }

double SphericalEuler::regularity(const Mat3<double>& R) const {
  const double x = first_repeats() ? R(axis[0], axis[0]) : R(axis[0], axis[2]);
  return std::sqrt(std::max(0.0, 1.0 - x * x));
}

double SphericalEuler::regularity(const double* q) const {
  return std::abs(first_repeats() ? std::sin(q[1]) : std::cos(q[1]));
}

SphericalEuler SphericalEuler::most_regular_order(const double* q) const {
  const Mat3<double> R = orientation(q);
  SphericalEuler best = *this;
  double most = -1.0;
  for (const auto& order : kOrders) {
    const SphericalEuler candidate(order);
    if (const double found = candidate.regularity(R); found > most) {
      most = found;
      best = candidate;
    }
  }
  return best;
}

Vec3<double> SphericalEuler::angles(const Mat3<double>& R) const {
  const int i = axis[0], j = axis[1], k = 3 - i - j;
  const double s = (i + 1) % 3 == j ? 1.0 : -1.0;
  const auto bounded = [](double x) { return std::clamp(x, -1.0, 1.0); };
  if (first_repeats())
    return {std::atan2(R(j, i), -s * R(k, i)), std::acos(bounded(R(i, i))), std::atan2(R(i, j), s * R(i, k))};
  return {std::atan2(-s * R(j, k), R(k, k)), std::asin(bounded(s * R(i, k))), std::atan2(-s * R(i, j), R(i, i))};
}

void SphericalEuler::continue_from(const double* before, double* q, double* v) const {
  constexpr double pi = std::numbers::pi;
  const double other[3] = {q[0] + pi, first_repeats() ? -q[1] : pi - q[1], q[2] + pi};
  double nearest[2][3], distance[2] = {};
  for (int i = 0; i < 3; ++i)
    for (const int k : {0, 1}) {
      const double angle = k == 0 ? q[i] : other[i];
      nearest[k][i] = angle + 2.0 * pi * std::round((before[i] - angle) / (2.0 * pi));
      distance[k] += std::abs(nearest[k][i] - before[i]);
    }
  const int k = distance[1] < distance[0] ? 1 : 0;
  std::copy_n(nearest[k], 3, q);
  if (k == 1) v[1] = -v[1];
}

void SphericalEuler::change_chart(const SphericalEuler& to, double* q, double* v) const {
  const JointKinematics<double, 3> from = at(q);
  const Vec3<double> omega = (from.S * Vector<double, 3>{v[0], v[1], v[2]}).angular;
  const Vec3<double> turned = to.angles(transpose(from.E));
  for (int i = 0; i < 3; ++i) q[i] = turned[i];
  const JointKinematics<double, 3> now = to.at(q);
  // S v = omega by Cramer's rule: S is far from singular in the new order
  const Vec3<double>&a = now.S.column[0].angular, &b = now.S.column[1].angular, &c = now.S.column[2].angular;
  const double det = dot(a, cross(b, c));
  v[0] = dot(omega, cross(b, c)) / det;
  v[1] = dot(a, cross(omega, c)) / det;
  v[2] = dot(a, cross(b, omega)) / det;
}

}  // namespace cardan
