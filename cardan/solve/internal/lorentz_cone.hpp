// The algebra of Lorentz cones x_0 >= |(x_1, x_2, x_3)|; of smaller ones the last entries are zero.
#pragma once

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace cardan {

/// x_0^2 - |x_1..|^2.
inline double cone_determinant(const Eigen::Vector4d& x) {
  const double t = x.tail<3>().norm();
  return (x[0] - t) * (x[0] + t);
}

/// x o y on the Lorentz cone.
inline Eigen::Vector4d cone_product(const Eigen::Vector4d& x, const Eigen::Vector4d& y) {
  Eigen::Vector4d out;
  out[0] = x.dot(y);
  out.tail<3>() = x[0] * y.tail<3>() + y[0] * x.tail<3>();
  return out;
}

/// Solves s o x = r.
inline Eigen::Vector4d cone_quotient(const Eigen::Vector4d& r, const Eigen::Vector4d& s, int n) {
  Eigen::Vector4d x = Eigen::Vector4d::Zero();
  if (n == 1) {
    x[0] = r[0] / s[0];
    return x;
  }
  x[0] = (s[0] * r[0] - s.tail<3>().dot(r.tail<3>())) / cone_determinant(s);
  x.tail<3>() = (r.tail<3>() - x[0] * s.tail<3>()) / s[0];
  return x;
}

/// How far along dx the point x stays in the cone.
inline double cone_distance(const Eigen::Vector4d& x, const Eigen::Vector4d& dx, int n) {
  constexpr double far = 1e30;
  if (n == 1) return dx[0] < 0.0 ? -x[0] / dx[0] : far;
  const double a = dx[0] * dx[0] - dx.tail<3>().squaredNorm(), b = x[0] * dx[0] - x.tail<3>().dot(dx.tail<3>()),
               c = std::max(0.0, cone_determinant(x));
  double best = dx[0] < 0.0 ? -x[0] / dx[0] : far;
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return best;
  const double root = std::sqrt(discriminant), q = -(b + std::copysign(root, b));
  for (const double t : {a != 0.0 ? q / a : far, q != 0.0 ? c / q : far})
    if (t > 0.0) best = std::min(best, t);
  return best;
}

}  // namespace cardan
