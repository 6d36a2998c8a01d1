#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Turns about `axis` (unit vector, joint frame) by q [rad]; v = dq/dt [rad/s]. Zero pose: frames coincide.
/// No singular pose. S = [axis; 0], c_J = 0. Also called pin or hinge; URDF's "continuous" is this without limits.
struct Revolute : RateCoordinates<1> {
  static constexpr const char* name = "revolute";
  Vec3<double> axis{0.0, 0.0, 1.0};

  Revolute() = default;
  explicit Revolute(const Vec3<double>& unit_axis) : axis(unit_axis) {}

  template <class T>
  JointKinematics<T, 1> operator()(const Coordinates<T>& q, const Vector<T, 1>&) const {
    return {detail::axis_rotation(axis, cos(q, 0), sin(q, 0)), {}, {{{Vec3<T>(axis), {}}}}, {}};
  }
};

}  // namespace cardan
