#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// A screw: turns about `axis` by q [rad] and advances `pitch` [m/rad] times q along it; v = dq/dt [rad/s].
/// Zero pose: frames coincide. No singular pose. S = [axis; pitch axis], c_J = 0. Pitch 0 is a revolute joint.
struct Helical : RateCoordinates<1> {
  static constexpr const char* name = "helical";
  Vec3<double> axis{0.0, 0.0, 1.0};
  double pitch = 0.0;

  Helical() = default;
  Helical(const Vec3<double>& unit_axis, double meters_per_radian) : axis(unit_axis), pitch(meters_per_radian) {}

  template <class T>
  JointKinematics<T, 1> operator()(const Coordinates<T>& q, const Vector<T, 1>&) const {
    const Vec3<T> a(axis), advance = T(pitch) * a;
    return {detail::axis_rotation(axis, cos(q, 0), sin(q, 0)), q[0] * advance, {{{a, advance}}}, {}};
  }
};

}  // namespace cardan
