#pragma once

#include "cardan/joints/kinematics.hpp"
#include "cardan/math/so3.hpp"

#include <cmath>

namespace cardan {

/// A ball joint: q = (w, x, y, z), the unit quaternion of the successor's orientation in the predecessor; v is the
/// angular velocity [rad/s] in successor coordinates, so nq = 4 and nv = 3. Zero pose: (1, 0, 0, 0), frames coincide.
/// No singular pose. S = [1; 0], c_J = 0. q is kept on the unit sphere by integrate().
struct Spherical {
  static constexpr const char* name = "spherical";
  static constexpr int nq = 4, nv = 3;

  template <class T>
  static CARDAN_INLINE Mat3<T> E(const Coordinates<T>& q) {
    return transpose(quaternion_to_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]}));
  }
  template <class T>
  JointKinematics<T, 3> operator()(const Coordinates<T>& q, const Vector<T, 3>&) const {
    return {E(q), {}, columns<T>(AllRotations{}), {}};
  }

  template <class T>
  static void integrate(const T* q, const T* v, const T& h, T* out) {
    const Quaternion<T> turned = quaternion_normalize(
        quaternion_product(Quaternion<T>{q[0], q[1], q[2], q[3]}, quaternion_exp(h * Vec3<T>{v[0], v[1], v[2]})));
    for (int i = 0; i < 4; ++i) out[i] = turned[i];
  }
  template <class T>
  static void difference(const T* q0, const T* q1, T* v) {
    const Vec3<T> w = quaternion_log(quaternion_product(quaternion_conjugate(Quaternion<T>{q0[0], q0[1], q0[2], q0[3]}),
                                                        Quaternion<T>{q1[0], q1[1], q1[2], q1[3]}));
    for (int i = 0; i < 3; ++i) v[i] = w[i];
  }
  /// Computes the rate of the increment x from the velocity v: T(x)^-1 v with the tangent operator T of SO(3).
  template <class T>
  static void increment_rate(const T* x, const T* v, T* rate) {
    const Vec3<T> out = tangent_so3_inverse(Vec3<T>{x[0], x[1], x[2]}) * Vec3<T>{v[0], v[1], v[2]};
    for (int i = 0; i < 3; ++i) rate[i] = out[i];
  }
  /// Computes the velocity from the rate of the increment x: T(x) rate.
  template <class T>
  static void increment_velocity(const T* x, const T* rate, T* v) {
    const Vec3<T> out = tangent_so3(Vec3<T>{x[0], x[1], x[2]}) * Vec3<T>{rate[0], rate[1], rate[2]};
    for (int i = 0; i < 3; ++i) v[i] = out[i];
  }
  /// Computes dq/dt: the quaternion's rate.
  template <class T>
  static void coordinate_rate(const T* q, const T* v, T* rate) {
    const Quaternion<T> half{T(0.0), T(0.5) * v[0], T(0.5) * v[1], T(0.5) * v[2]};
    const Quaternion<T> product = quaternion_product(Quaternion<T>{q[0], q[1], q[2], q[3]}, half);
    for (int i = 0; i < 4; ++i) rate[i] = product[i];
  }
  /// Scales the quaternion to length one; returns the length it had.
  static double normalize(double* q) {
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    const Quaternion<double> unit = quaternion_normalize(Quaternion<double>{q[0], q[1], q[2], q[3]});
    for (int i = 0; i < 4; ++i) q[i] = unit[i];
    return length;
  }
  static void neutral(double* q) {
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
  }
};

}  // namespace cardan
