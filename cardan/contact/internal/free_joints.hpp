// Free joints in steps of finite length. Their velocities (omega, v) are in axes that turn with the body: the numbers
// at both ends of a step belong to different axes, and adding a change to them bends the path of whatever spins. So
// they are carried from one end to the other in axes that do not turn, those of the joint's predecessor,
//   R1 v1 = R0 v0 + R_mid dv,
// where dv is what forces add in the axes of mid-step, velocity products left out. A body that no joint connects to
// another turns by the midpoint rule of Simo and Wong (1991), which keeps angular momentum and energy exactly,
//   I w1 = E(x)' (I w0 + B I dw),   x = h (w0 + w1) / 2,   R1 = R0 E(x),   B = R0' R_mid,
// with I about its center of mass c, whose velocity is carried in place of the origin's; a step in which it turns far
// is made in several.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/dynamics/state_space.hpp"
#include "cardan/math/so3.hpp"

namespace cardan {

/// Angular velocity, and velocity of the center of mass (of the origin, where other bodies are connected), in the axes
/// of the predecessor.
struct CarriedVelocity {
  Vec3<double> angular, linear;
};

/// Where a step without laws ends.
struct Flight {
  CarriedVelocity v;
  Quaternion<double> orientation;
  Vec3<double> shift{};  // of the position, beside what the mean of the velocities gives
};

/// A free joint. Accelerations of it are the rate of its angular velocity in its own axes, and the acceleration of c in
/// the axes of the predecessor.
class FreeJoint {
 public:
  FreeJoint(int body, int q, int v) : body_(body), q_(q), v_(v) {}
  /// A body that no joint connects to another, with the inertia of all that is fixed to it.
  FreeJoint(int body, int q, int v, const RigidBodyInertia<double>& inertia);

  int body() const { return body_; }
  int velocity() const { return v_; }
  bool is_single() const { return is_single_; }

  CarriedVelocity carried(const double* q, const double* v) const;
  /// Writes the velocity in the axes of a pose.
  void express(const CarriedVelocity& carried, const double* q, double* v) const;
  /// Writes pose and velocity after h of constant acceleration a.
  void predict(const double* q0, const double* v0, const double* a, double h, double* q, double* v) const;
  /// Computes the motion over h from what forces add to the velocity in the axes of mid-step.
  Flight fly(const double* q0, const double* v0, const double* q_mid, const double* dv, double h) const;
  /// Moves for h to the velocity `end`, which laws have made of that of the flight: by the mean of the velocities at
  /// both ends, or by that of its end alone. Sets pose, velocity and acceleration.
  void move(const double* q0, const double* v0, const Flight& flight, const CarriedVelocity& end, bool by_end_alone,
            double h, double* q1, double* v1, double* a) const;
  /// Sets position and linear velocity at the fraction s between two states; the orientation is that of `out`. The path
  /// is curved as velocities change over h, or straight where h is zero.
  void interpolate(const State& from, const State& to, double s, double h, State& out) const;
  /// Sets the generalized acceleration, in the axes of pose q.
  void express_acceleration(const double* q, const double* a, double* out) const;

 private:
  Flight fly_alone(const double* q0, const Vec3<double>& w0, const Vec3<double>& torque, double h) const;

  int body_, q_, v_;
  bool is_single_ = false;
  Vec3<double> c_{};
  Sym3<double> I_, I_inverse_;
};

/// Finds the free joints of a model.
std::vector<FreeJoint> free_joints(const Model& model);

}  // namespace cardan
