#pragma once

#include "cardan/joints/spherical.hpp"
#include "cardan/spatial/se3.hpp"

namespace cardan {

/// Six degrees of freedom: q = (w, x, y, z, px, py, pz), orientation as in `spherical`, then the successor's origin
/// [m] in predecessor coordinates; v = (omega, velocity of the origin), both in successor coordinates, so nq = 7 and
/// nv = 6. Zero pose: (1, 0, 0, 0, 0, 0, 0), frames coincide. No singular pose. S = 1, c_J = 0.
struct Free {
  static constexpr const char* name = "free";
  static constexpr int nq = 7, nv = 6;

  template <class T>
  static CARDAN_INLINE Vec3<T> p(const Coordinates<T>& q) {
    return {q[4], q[5], q[6]};
  }
  template <class T>
  JointKinematics<T, 6> operator()(const Coordinates<T>& q, const Vector<T, 6>&) const {
    return {Spherical::E(q), p(q), columns<T>(AllMotions{}), {}};
  }

  /// Moves along the screw of a constant body velocity: exact, whatever the step.
  template <class T>
  static void integrate(const T* q, const T* v, const T& h, T* out) {
    const Pose<T> step = exp_se3(h * Vec3<T>{v[0], v[1], v[2]}, h * Vec3<T>{v[3], v[4], v[5]});
    const Vec3<T> moved = quaternion_to_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]}) * step.p;
    Spherical::integrate(q, v, h, out);
    for (int i = 0; i < 3; ++i) out[4 + i] = q[4 + i] + moved[i];
  }
  template <class T>
  static void difference(const T* q0, const T* q1, T* v) {
    const Vec3<T> p = transpose_apply(quaternion_to_matrix(Quaternion<T>{q0[0], q0[1], q0[2], q0[3]}),
                                      Vec3<T>{q1[4] - q0[4], q1[5] - q0[5], q1[6] - q0[6]});
    Spherical::difference(q0, q1, v);
    const Vec3<T> w{v[0], v[1], v[2]};
    const Vec3<T> linear = transpose_apply(tangent_so3_inverse(w), p);
    for (int i = 0; i < 3; ++i) v[3 + i] = linear[i];
  }
  static void neutral(double* q) {
    Spherical::neutral(q);
    q[4] = q[5] = q[6] = 0.0;
  }
};

}  // namespace cardan
