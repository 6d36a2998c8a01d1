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
  /// Computes T(x)^-1 v with the tangent operator T of SE(3), whose blocks are [A 0; B A].
  template <class T>
  static void increment_rate(const T* x, const T* v, T* rate) {
    const Vec3<T> angular{x[0], x[1], x[2]}, linear{x[3], x[4], x[5]};
    multiply(tangent_so3_inverse(angular), tangent_so3_inverse_rate(angular, linear), v, rate);
  }
  /// Computes T(x) rate.
  template <class T>
  static void increment_velocity(const T* x, const T* rate, T* v) {
    const Vec3<T> angular{x[0], x[1], x[2]}, linear{x[3], x[4], x[5]};
    multiply(tangent_so3(angular), tangent_so3_rate(angular, linear), rate, v);
  }
  template <class T>
  static void coordinate_rate(const T* q, const T* v, T* rate) {
    const Vec3<T> p_dot = quaternion_to_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]}) * Vec3<T>{v[3], v[4], v[5]};
    Spherical::coordinate_rate(q, v, rate);
    for (int i = 0; i < 3; ++i) rate[4 + i] = p_dot[i];
  }
  static double normalize(double* q) { return Spherical::normalize(q); }
  static void neutral(double* q) {
    Spherical::neutral(q);
    q[4] = q[5] = q[6] = 0.0;
  }

 private:
  /// out = [A 0; B A] (v, v + 3); out may be v.
  template <class T>
  static void multiply(const Mat3<T>& A, const Mat3<T>& B, const T* v, T* out) {
    const Vec3<T> v0{v[0], v[1], v[2]}, v1{v[3], v[4], v[5]}, angular = A * v0, linear = A * v1 + B * v0;
    for (int i = 0; i < 3; ++i) {
      out[i] = angular[i];
      out[3 + i] = linear[i];
    }
  }
};

}  // namespace cardan
