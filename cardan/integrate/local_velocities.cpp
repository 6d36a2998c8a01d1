#include "cardan/integrate/local_velocities.hpp"

#include <fmt/format.h>
#include <numbers>
#include <stdexcept>

namespace cardan {

namespace {

using Vector6 = LocalVelocities::Vector6;
using Matrix6 = LocalVelocities::Matrix6;

Vector6 column(const MotionVector<double>& v) {
  return {v.angular[0], v.angular[1], v.angular[2], v.linear[0], v.linear[1], v.linear[2]};
}
Vector6 column(const ForceVector<double>& f) {
  return {f.moment[0], f.moment[1], f.moment[2], f.force[0], f.force[1], f.force[2]};
}
Pose<double> exp_se3(const Vector6& n) {
  return cardan::exp_se3(Vec3<double>{n[0], n[1], n[2]}, Vec3<double>{n[3], n[4], n[5]});
}

}  // namespace

LocalVelocities::LocalVelocities(const std::array<Projection, 6>& projections) {
  for (int i = 0; i < 6; ++i) {
    const auto& [y, b] = projections[static_cast<std::size_t>(i)];
    const Vec3<double> moment = cross(y, b);
    for (int k = 0; k < 3; ++k) {
      D_(i, k) = moment[k];
      D_(i, 3 + k) = b[k];
    }
  }
  const Eigen::JacobiSVD<Matrix6> svd(D_);
  const Vector6& sizes = svd.singularValues();
  if (!(sizes[5] > 1e-12 * sizes[0]))
    throw std::invalid_argument(
        fmt::format("local velocities: the six point velocities do not determine the motion (rank {} instead of 6); "
                    "choose points and directions whose lines are independent",
                    (sizes.array() > 1e-12 * sizes[0]).count()));
  condition_ = sizes[0] / sizes[5];
  inverse_ = D_.inverse();
}

LocalVelocities LocalVelocities::hexahedral(double l1, double l2, double l3) {
  constexpr double b = 1.0 / std::numbers::sqrt2;
  return LocalVelocities({{{{0.0, -l2, 0.0}, {b, 0.0, 0.0}},
                           {{0.0, l2, 0.0}, {-b, 0.0, 0.0}},
                           {{0.0, 0.0, -l3}, {0.0, b, 0.0}},
                           {{0.0, 0.0, l3}, {0.0, -b, 0.0}},
                           {{-l1, 0.0, 0.0}, {0.0, 0.0, b}},
                           {{l1, 0.0, 0.0}, {0.0, 0.0, -b}}}});
}

LocalVelocities LocalVelocities::tetrahedral(double l) {
  constexpr double b = 1.0 / std::numbers::sqrt2;
  return LocalVelocities({{{{l, 0.0, 0.0}, {0.0, b, b}},
                           {{-l, 0.0, 0.0}, {0.0, b, -b}},
                           {{0.0, l, 0.0}, {b, 0.0, b}},
                           {{0.0, -l, 0.0}, {-b, 0.0, b}},
                           {{0.0, 0.0, l}, {b, b, 0.0}},
                           {{0.0, 0.0, -l}, {b, -b, 0.0}}}});
}

Vector6 LocalVelocities::from_motion(const MotionVector<double>& v) const { return D_ * column(v); }

MotionVector<double> LocalVelocities::motion(const Vector6& w) const {
  const Vector6 v = inverse_ * w;
  return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

Eigen::Matrix<double, 3, 6> LocalVelocities::interpolation(const Vec3<double>& point) const {
  Eigen::Matrix<double, 3, 6> velocity;  // v + omega x y
  const Mat3<double> across = skew(point);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      velocity(i, j) = -across(i, j);
      velocity(i, 3 + j) = i == j ? 1.0 : 0.0;
    }
  return velocity * inverse_;
}

Matrix6 LocalVelocities::mass_matrix(const RigidBodyInertia<double>& inertia) const {
  Matrix6 M;
  for (int j = 0; j < 6; ++j) {
    MotionVector<double> unit;
    unit[j] = 1.0;
    M.col(j) = column(inertia * unit);
  }
  return inverse_.transpose() * M * inverse_;
}

Vector6 LocalVelocities::quadratic_terms(const RigidBodyInertia<double>& inertia, const Vector6& w) const {
  const MotionVector<double> v = motion(w);
  return generalized_force(cross(v, inertia * v));
}

Vector6 LocalVelocities::generalized_force(const ForceVector<double>& f) const {
  return inverse_.transpose() * column(f);
}

Vector6 LocalVelocities::generalized_force(const Vec3<double>& point, const Vec3<double>& force) const {
  return generalized_force(ForceVector<double>{cross(point, force), force});
}

LocalVelocityBody::LocalVelocityBody(const LocalVelocities& coordinates, const RigidBodyInertia<double>& inertia,
                                     Load load)
    : coordinates_(coordinates), inertia_(inertia), load_(std::move(load)), mass_(coordinates.mass_matrix(inertia)) {
  if (mass_.info() != Eigen::Success)
    throw std::invalid_argument("local velocities: the body's mass matrix is not positive definite");
}

Vector6 LocalVelocityBody::acceleration(double t, const Pose<double>& at, const Vector6& velocity) const {
  Vector6 Q = -coordinates_.quadratic_terms(inertia_, velocity);
  if (load_) Q += load_(t, at, velocity);
  return mass_.solve(Q);
}

Vector6 LocalVelocityBody::increment_rate(const Vector6& n, const Vector6& velocity) const {
  const Vec3<double> angular{n[0], n[1], n[2]}, linear{n[3], n[4], n[5]};
  const MotionVector<double> v = coordinates_.motion(velocity);
  const Mat3<double> A = tangent_so3_inverse(angular), B = tangent_so3_inverse_rate(angular, linear);
  return column(MotionVector<double>{A * v.angular, A * v.linear + B * v.angular});
}

void LocalVelocityBody::step(double h) {
  const Vector6 zero = Vector6::Zero();
  const auto stage = [&](double c, const Vector6& n, const Vector6& dw, Vector6& K, Vector6& k) {
    K = h * increment_rate(n, w + dw);
    k = h * acceleration(time + c * h, pose * exp_se3(n), w + dw);
  };
  Vector6 K1, K2, K3, K4, k1, k2, k3, k4;
  stage(0.0, zero, zero, K1, k1);
  stage(0.5, 0.5 * K1, 0.5 * k1, K2, k2);
  stage(0.5, 0.5 * K2, 0.5 * k2, K3, k3);
  stage(1.0, K3, k3, K4, k4);
  const Vector6 change = (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0 + lost_, before = w;
  w += change;
  lost_ = change - (w - before);
  pose = pose * exp_se3((K1 + 2.0 * K2 + 2.0 * K3 + K4) / 6.0);
  time += h;
}

}  // namespace cardan
