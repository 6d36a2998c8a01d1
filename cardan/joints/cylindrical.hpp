#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Turns about `axis` by q0 [rad] and slides along it by q1 [m]; v = dq/dt. Zero pose: frames coincide.
/// No singular pose. S = [axis 0; 0 axis], c_J = 0.
struct Cylindrical : RateCoordinates<2> {
  static constexpr const char* name = "cylindrical";
  Vec3<double> axis{0.0, 0.0, 1.0};

  Cylindrical() = default;
  explicit Cylindrical(const Vec3<double>& unit_axis) : axis(unit_axis) {}

  template <class T>
  JointKinematics<T, 2> operator()(const Coordinates<T>& q, const Vector<T, 2>&) const {
    const Vec3<T> a(axis);
    return {detail::axis_rotation(axis, cos(q, 0), sin(q, 0)), q[1] * a, {{{a, {}}, {{}, a}}}, {}};
  }
};

}  // namespace cardan
