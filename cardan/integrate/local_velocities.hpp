// Unified local velocity coordinates of a rigid body (Holzinger, Gerstmayr and Schoeberl): instead of angular and
// linear velocity, the velocities w_i of six points of the body, each along a direction fixed in the body,
//   w_i = b_i . (v + omega x y_i),  w = D (omega, v)  (Eq. 54, angular part first here).
// Any six points and directions serve as long as D is regular. In these coordinates
//   M_w dw/dt + c_w(w) = Q,  M_w = D^-T M D^-1,  c_w = D^-T (v x* M v),  Q = N(y)' f  (Eqs. 51, 53, 56).
#pragma once

#include "cardan/spatial/inertia.hpp"
#include "cardan/spatial/se3.hpp"

#include <Eigen/Dense>
#include <array>
#include <functional>

namespace cardan {

class LocalVelocities {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  struct Projection {
    Vec3<double> point, direction;  // in the body's frame; the length of the direction scales w_i
  };

  /// Throws std::invalid_argument where the six velocities do not determine the motion.
  explicit LocalVelocities(const std::array<Projection, 6>& projections);
  /// Centers of the faces of a box with sides 2 l1, 2 l2, 2 l3, along its faces, with directions of length 1/sqrt 2
  /// (Eqs. 19 to 24); D is orthogonal for l1 = l2 = l3 = 1.
  static LocalVelocities hexahedral(double l1 = 1.0, double l2 = 1.0, double l3 = 1.0);
  /// Middles of the edges of a regular tetrahedron, at the distance l from its center, along the edges.
  static LocalVelocities tetrahedral(double l = 1.0);

  const Matrix6& D() const { return D_; }
  /// Largest over smallest singular value of D; depends on the unit of length.
  double condition() const { return condition_; }

  Vector6 from_motion(const MotionVector<double>& v) const;
  MotionVector<double> motion(const Vector6& w) const;
  /// N(y): the velocity of the point y is N w (Eq. 26).
  Eigen::Matrix<double, 3, 6> interpolation(const Vec3<double>& point) const;

  Matrix6 mass_matrix(const RigidBodyInertia<double>& inertia) const;
  /// What is quadratic in the velocities: c_w.
  Vector6 quadratic_terms(const RigidBodyInertia<double>& inertia, const Vector6& w) const;
  Vector6 generalized_force(const ForceVector<double>& f) const;
  /// Computes the generalized force of a force at a point, both in the body's frame (Eq. 53).
  Vector6 generalized_force(const Vec3<double>& point, const Vec3<double>& force) const;

 private:
  Matrix6 D_, inverse_;
  double condition_;
};

/// One free body in these coordinates, by the Runge-Kutta scheme of Eqs. 82 to 87: the increment n starts from zero in
/// every step, and the load is taken at each stage's own pose, so that the order is 4 with loads as well.
class LocalVelocityBody {
 public:
  using Vector6 = LocalVelocities::Vector6;
  /// Generalized forces in w at a time, pose and velocity.
  using Load = std::function<Vector6(double t, const Pose<double>& pose, const Vector6& w)>;

  LocalVelocityBody(const LocalVelocities& coordinates, const RigidBodyInertia<double>& inertia, Load load = {});

  double time = 0.0;
  Pose<double> pose;
  Vector6 w = Vector6::Zero();

  void step(double h);

 private:
  Vector6 acceleration(double t, const Pose<double>& at, const Vector6& velocity) const;
  /// T(n)^-1 D^-1 w (Eq. 72).
  Vector6 increment_rate(const Vector6& n, const Vector6& velocity) const;

  LocalVelocities coordinates_;
  RigidBodyInertia<double> inertia_;
  Load load_;
  Eigen::LLT<LocalVelocities::Matrix6> mass_;
  Vector6 lost_ = Vector6::Zero();  // what rounding took from the sum of w
};

}  // namespace cardan
