#pragma once

#include "cardan/joints/kinematics.hpp"

#include <array>
#include <optional>

namespace cardan {

/// A ball joint by three turns about coordinate axes, each about the axis already turned by those before it, in any
/// of the twelve orders (XYZ, ZYX, XZX, ...): R = R_i(q0) R_j(q1) R_k(q2), q in rad, v = dq/dt. Zero pose: frames
/// coincide. Singular where the first and third axis align: q1 = 0 or pi if they are equal (XZX), q1 = +-pi/2 if
/// not (XYZ). There the joint locks (gimbal lock); `spherical` has no such pose. Before the lock the angles can be
/// rewritten in another order (Sueda 2.4.7): integrators do so once |det S| falls to kLeastRegularity.
/// S = [E2 E1 e_i, E2 e_j, e_k; 0], c_J = S_dot v.
struct SphericalEuler : RateCoordinates<3> {
  static constexpr const char* name = "spherical_euler";
  std::array<int, 3> axis{0, 1, 2};

  SphericalEuler() = default;
  explicit SphericalEuler(const std::array<int, 3>& axes) : axis(axes) {}

  static constexpr double kLeastRegularity = 0.5;
  /// Computes |det S|: 1 where the three axes are perpendicular, 0 where the joint locks.
  double regularity(const double* q) const;
  /// Returns the order of angles, of all twelve, whose |det S| is largest at the orientation of q.
  SphericalEuler most_regular_order(const double* q) const;
  /// Returns that order where the present one comes near its lock.
  std::optional<SphericalEuler> other_chart(const double* q) const {
    if (regularity(q) > kLeastRegularity) return std::nullopt;
    return most_regular_order(q);
  }
  /// Rewrites angles and rates in another order of axes: the same orientation and angular velocity.
  void change_chart(const SphericalEuler& to, double* q, double* v) const;

  /// Rewrites angles and rates as those of the same orientation that are nearest to the angles before: whole turns are
  /// counted, and of the two triples with which every orientation can be reached the nearer one is taken.
  void continue_from(const double* before, double* q, double* v) const;

  template <class T>
  JointKinematics<T, 3> operator()(const Coordinates<T>& q, const Vector<T, 3>& v) const {
    const Mat3<T> E1 = turn(q, 1), E2 = turn(q, 2);
    JointKinematics<T, 3> k;
    k.E = compose(E2, compose(E1, turn(q, 0)));
    const Vec3<T> e_j = unit<T>(1), e_k = unit<T>(2);
    const Vec3<T> s0 = E1 * unit<T>(0);  // axis i seen after the second turn
    k.S.column[0].angular = E2 * s0;
    k.S.column[1].angular = E2 * e_j;
    k.S.column[2].angular = e_k;
    // d(E1 e_i)/dt = -v1 e_j x E1 e_i, and all that E2 carries turns against v2 e_k
    const Vec3<T> inner = v[0] * s0 + v[1] * e_j;
    k.c_J.angular = E2 * ((v[0] * v[1]) * cross(s0, e_j)) + v[2] * cross(E2 * inner, e_k);
    return k;
  }

 private:
  bool first_repeats() const { return axis[0] == axis[2]; }
  Mat3<double> orientation(const double* q) const;
  Vec3<double> angles(const Mat3<double>& R) const;
  double regularity(const Mat3<double>& R) const;
  JointKinematics<double, 3> at(const double* q) const;

  template <class T>
  Vec3<T> unit(int i) const {
    Vec3<T> e;
    e[axis[static_cast<std::size_t>(i)]] = T(1.0);
    return e;
  }
  template <class T>
  Mat3<T> turn(const Coordinates<T>& q, int i) const {
    const int a = axis[static_cast<std::size_t>(i)], b = (a + 1) % 3, c = (a + 2) % 3;
    Mat3<T> E = Mat3<T>::identity();
    E(b, b) = cos(q, i);
    E(c, c) = cos(q, i);
    E(b, c) = sin(q, i);
    E(c, b) = -sin(q, i);
    return E;
  }
};

}  // namespace cardan
