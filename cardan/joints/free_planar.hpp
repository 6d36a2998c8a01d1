#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Moves in the joint's x-y plane: position (q0, q1) [m] in the predecessor frame, then a turn about z by q2 [rad];
/// v = dq/dt. Zero pose: frames coincide. No singular pose.
/// S = [0 0 e_z; E e_x, E e_y, 0], c_J = v2 (0; c v1 - s v0, -c v0 - s v1, 0).
/// (The book's constant S for this joint is inconsistent with v = dq/dt: its velocities would not be rates.)
struct FreePlanar : RateCoordinates<3> {
  static constexpr const char* name = "free_planar";

  template <class T>
  JointKinematics<T, 3> operator()(const Coordinates<T>& q, const Vector<T, 3>& v) const {
    const T &s = sin(q, 2), &c = cos(q, 2);
    const T o(0.0), one(1.0);
    JointKinematics<T, 3> k;
    k.E = mat3<T>(c, s, o, -s, c, o, o, o, one);
    k.p = Vec3<T>{q[0], q[1], o};
    k.S.column[0].linear = Vec3<T>{c, -s, o};
    k.S.column[1].linear = Vec3<T>{s, c, o};
    k.S.column[2].angular = Vec3<T>{o, o, one};
    k.c_J.linear = Vec3<T>{v[2] * (c * v[1] - s * v[0]), -(v[2] * (c * v[0] + s * v[1])), o};
    return k;
  }
};

}  // namespace cardan
