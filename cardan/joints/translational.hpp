#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Moves by (q0, q1, q2) [m] along the joint's axes without turning; v = dq/dt. Zero pose: frames coincide.
/// No singular pose. S = [0; 1], c_J = 0.
struct Translational : RateCoordinates<3> {
  static constexpr const char* name = "translational";

  template <class T>
  JointKinematics<T, 3> operator()(const Coordinates<T>& q, const Vector<T, 3>&) const {
    JointKinematics<T, 3> k;
    k.p = Vec3<T>{q[0], q[1], q[2]};
    for (int i = 0; i < 3; ++i) k.S.column[i].linear[i] = T(1.0);
    return k;
  }
};

}  // namespace cardan
