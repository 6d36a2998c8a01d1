// Derivatives of a joint's motion by its own configuration, in the directions of its velocities, for joints whose S
// depends on it. Everything in successor coordinates; zero where S is constant.
#pragma once

#include "cardan/joints/joint.hpp"
#include "cardan/math/rate.hpp"

namespace cardan {

template <class T, int N>
struct JointDerivatives {
  MotionMatrix<T, N> S_by[N > 0 ? N : 1];  // dS/dq_r
  MotionMatrix<T, N> S_dot;                // sum of dS/dq_r v_r
  MotionMatrix<T, N> v_by, a_by;           // of S v, and of S a + c_J, at constant v and a
};

namespace detail {

constexpr int kMostJointCoordinates = 12;  // composites of quaternions have more coordinates than velocities

/// Evaluates a joint's kinematics on a scalar with derivatives, where its configuration is displaced by x.
template <class D, int N, class T>
JointKinematics<D, N> displaced_kinematics(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v,
                                           const Vector<D, N>& x) {
  D at[kMostJointCoordinates], moved[kMostJointCoordinates], s[kMostJointCoordinates], c[kMostJointCoordinates];
  const int nq = joint.nq();
  for (int i = 0; i < nq; ++i) at[i] = D(q[i]);
  joint.integrate(at, &x[0], D(1.0), moved);
  for (int i = 0; i < nq; ++i) {  // the sines and cosines are known: only their derivatives are new
    const D step = moved[i] - at[i];
    s[i] = D(q.s[i]) + D(q.c[i]) * step;
    c[i] = D(q.c[i]) - D(q.s[i]) * step;
  }
  Vector<D, N> velocity;
  for (int i = 0; i < N; ++i) velocity[i] = D(v[i]);
  return joint.kinematics<D, N>(Coordinates<D>{moved, s, c}, velocity);
}

/// All directions at once on double, one after the other on every other scalar: calls keep(r, derivative) where
/// derivative(x) is that of a number x by direction r.
template <class T, int N, class Keep>
void for_each_direction(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v, const Keep& keep) {
  if constexpr (std::same_as<T, double>) {
    using D = Dual<(N <= 2 ? 2 : N <= 4 ? 4 : 8)>;
    Vector<D, N> x;
    for (int r = 0; r < N; ++r) x[r] = D::variable(0.0, r);
    const JointKinematics<D, N> k = displaced_kinematics<D, N>(joint, q, v, x);
    for (int r = 0; r < N; ++r) keep(r, k, [r](const D& number) { return number.d[r]; });
  } else {
    using D = Rate<T>;
    for (int r = 0; r < N; ++r) {
      Vector<D, N> x;
      x[r] = D(T(0.0), T(1.0));
      keep(r, displaced_kinematics<D, N>(joint, q, v, x), [](const D& number) { return number.rate; });
    }
  }
}

}  // namespace detail

/// At configuration q, velocity v and acceleration a of the joint.
template <class T, int N>
JointDerivatives<T, N> joint_derivatives(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v,
                                         const Vector<T, N>& a) {
  JointDerivatives<T, N> out;
  if constexpr (N > 0)
    detail::for_each_direction(joint, q, v, [&](int r, const auto& k, const auto& derivative) {
      MotionMatrix<T, N>& S_r = out.S_by[r];
      for (int i = 0; i < 6; ++i) {
        out.a_by.column[r][i] = derivative(k.c_J[i]);
        for (int s = 0; s < N; ++s) S_r.column[s][i] = derivative(k.S.column[s][i]);
      }
      out.v_by.column[r] = S_r * v;
      out.a_by.column[r] += S_r * a;
      for (int s = 0; s < N; ++s) out.S_dot.column[s] += v[r] * S_r.column[s];
    });
  return out;
}

}  // namespace cardan
