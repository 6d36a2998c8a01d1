#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Turns about x by q0 [rad], then about the new y by q1 [rad]; v = dq/dt. Zero pose: frames coincide.
/// No singular pose (the two axes stay perpendicular). Also called Hooke's or Cardan's joint.
/// S = [c1 0; 0 1; s1 0; 0], c_J = v0 v1 (-s1, 0, c1, 0).
struct Universal : RateCoordinates<2> {
  static constexpr const char* name = "universal";

  template <class T>
  JointKinematics<T, 2> operator()(const Coordinates<T>& q, const Vector<T, 2>& v) const {
    const T &s0 = sin(q, 0), &c0 = cos(q, 0), &s1 = sin(q, 1), &c1 = cos(q, 1);
    const T o(0.0), w = v[0] * v[1];
    JointKinematics<T, 2> k;
    k.E = mat3<T>(c1, s0 * s1, -(c0 * s1), o, c0, s0, s1, -(s0 * c1), c0 * c1);
    k.S.column[0].angular = Vec3<T>{c1, o, s1};
    k.S.column[1].angular = Vec3<T>{o, T(1.0), o};
    k.c_J.angular = Vec3<T>{-(s1 * w), o, c1 * w};
    return k;
  }
};

}  // namespace cardan
