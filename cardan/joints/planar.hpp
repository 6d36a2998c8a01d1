#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Slides in the joint's x-y plane by (q0, q1) [m] without turning; v = dq/dt. Zero pose: frames coincide.
/// No singular pose. S = [0; e_x e_y], c_J = 0. (With rotation as well: free_planar.)
struct Planar : RateCoordinates<2> {
  static constexpr const char* name = "planar";

  template <class T>
  JointKinematics<T, 2> operator()(const Coordinates<T>& q, const Vector<T, 2>&) const {
    const T o(0.0), one(1.0);
    return {Mat3<T>::identity(), Vec3<T>{q[0], q[1], o}, {{{{}, {one, o, o}}, {{}, {o, one, o}}}}, {}};
  }
};

}  // namespace cardan
