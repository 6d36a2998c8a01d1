#pragma once

#include "cardan/joints/kinematics.hpp"
#include "cardan/math/so3.hpp"

#include <numbers>

namespace cardan {

/// A ball joint by its rotation vector: R = exp([q]), q in rad, v = dq/dt. Zero pose: frames coincide.
/// Singular at |q| = 2 pi, where S loses rank; reparameterize() steps around it (Sueda 2.4.8). Integrators do so once
/// |q| > 1.5 pi, far enough from both ends that a joint which swings to and fro there does not do it again and again. S
/// = [T(q); 0] with the tangent operator T of SO(3), c_J = [T_dot v; 0].
struct SphericalExponential : RateCoordinates<3> {
  static constexpr const char* name = "spherical_exponential";

  template <class T>
  JointKinematics<T, 3> operator()(const Coordinates<T>& q, const Vector<T, 3>& v) const {
    const Vec3<T> phi{q[0], q[1], q[2]};
    const Mat3<T> tangent = tangent_so3(phi);
    JointKinematics<T, 3> k;
    k.E = transpose(exp_so3(phi));
    for (int i = 0; i < 3; ++i) k.S.column[i].angular = Vec3<T>{tangent(0, i), tangent(1, i), tangent(2, i)};
    k.c_J.angular = tangent_so3_rate(phi, v) * v;
    return k;
  }

  static constexpr double kLongest = 1.5 * std::numbers::pi;

  /// Rewrites orientation and angular velocity with a rotation vector no longer than pi.
  template <class T>
  static void reparameterize(T* q, T* v) {
    const Vec3<T> phi{q[0], q[1], q[2]}, rate{v[0], v[1], v[2]};
    const T square = dot(phi, phi), limit(std::numbers::pi * std::numbers::pi);
    const T angle = sqrt(select_less(limit, square, square, limit));
    const Vec3<T> shorter = (T(1.0) - T(2.0 * std::numbers::pi) / angle) * phi;
    const Vec3<T> new_rate = tangent_so3_inverse(shorter) * (tangent_so3(phi) * rate);
    for (int i = 0; i < 3; ++i) {
      q[i] = select_less(limit, square, shorter[i], q[i]);
      v[i] = select_less(limit, square, new_rate[i], v[i]);
    }
  }
};

}  // namespace cardan
