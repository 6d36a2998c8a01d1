#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Slides along `axis` (unit vector, joint frame) by q [m]; v = dq/dt [m/s]. Zero pose: frames coincide.
/// No singular pose. S = [0; axis], c_J = 0. Also called slider.
struct Prismatic : RateCoordinates<1> {
  static constexpr const char* name = "prismatic";
  Vec3<double> axis{0.0, 0.0, 1.0};

  Prismatic() = default;
  explicit Prismatic(const Vec3<double>& unit_axis) : axis(unit_axis) {}

  template <class T>
  JointKinematics<T, 1> operator()(const Coordinates<T>& q, const Vector<T, 1>&) const {
    const Vec3<T> a(axis);
    return {Mat3<T>::identity(), q[0] * a, {{{{}, a}}}, {}};
  }
};

}  // namespace cardan
