#include "cardan/model/mass_properties.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace cardan {
namespace {

/// m (|d|^2 1 - d d'): the inertia about a point of a mass m at distance d.
Sym3<double> point_inertia(double m, const Vec3<double>& d) {
  const double xx = m * d[0] * d[0], yy = m * d[1] * d[1], zz = m * d[2] * d[2];
  return {yy + zz, xx + zz, xx + yy, -m * d[0] * d[1], -m * d[0] * d[2], -m * d[1] * d[2]};
}

bool finite(const MassProperties& body) {
  bool ok = std::isfinite(body.mass);
  for (int i = 0; i < 3; ++i) ok = ok && std::isfinite(body.com[i]);
  for (int i = 0; i < 6; ++i) ok = ok && std::isfinite(body.inertia.e[i]);
  return ok;
}

}  // namespace

MassProperties combine(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.com, a.inertia + b.inertia};
  const double share = b.mass / mass;
  const Vec3<double> d = b.com - a.com;
  return {mass, a.com + share * d, a.inertia + b.inertia + point_inertia(a.mass * share, d)};
}

MassProperties to_parent(const MassProperties& body, const Mat3<double>& R, const Vec3<double>& p) {
  const Mat3<double> turned = R * full(body.inertia) * transpose(R);
  return {body.mass, R * body.com + p, lower_triangle(turned)};
}

Sym3<double> inertia_about_origin(const MassProperties& body) {
  return body.inertia + point_inertia(body.mass, body.com);
}

Vec3<double> principal_moments(const Sym3<double>& inertia) {
  Eigen::Matrix3d I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I(i, j) = inertia(i, j);
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[0], moments[1], moments[2]};
}

std::optional<std::string> non_physical_reason(const MassProperties& body, double tolerance) {
  if (!finite(body)) return "mass, center of mass and inertia must be finite numbers";
  if (body.mass < 0) return fmt::format("mass must not be negative, found {}", body.mass);
  const Vec3<double> I = principal_moments(body.inertia);
  const double slack = tolerance * std::max(std::abs(I[0]), std::abs(I[2]));
  const std::string found = fmt::format("found principal moments {:.6g}, {:.6g}, {:.6g}", I[0], I[1], I[2]);
  if (I[0] < -slack) return "inertia must be positive semidefinite, " + found;
  if (I[2] > I[0] + I[1] + slack)
    return "no principal moment of inertia may exceed the sum of the other two (triangle inequality), " + found;
  return std::nullopt;
}

}  // namespace cardan
