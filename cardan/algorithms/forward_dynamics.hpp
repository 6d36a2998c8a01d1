// qdd = FD(model, q, qd, tau, f_ext): the articulated-body algorithm (Table 7.1), split so that all velocity terms
// are in an inverse-dynamics pass with zero joint acceleration and the rest is linear.
#pragma once

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/spatial/projected_inertia.hpp"

namespace cardan {

/// force = I a + p
template <class T, class Inertia = ArticulatedInertia<T>>
struct Articulated {
  Inertia I;
  ForceVector<T> p;

  CARDAN_INLINE void operator+=(const Articulated& o) {
    I += o.I;
    p += o.p;
  }
};

namespace detail {

template <class T, int N>
CARDAN_INLINE ForceMatrix<T, N> operator*(const ForceMatrix<T, N>& U, const Matrix<T, N, N>& D) {
  ForceMatrix<T, N> K;
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) K.column[i] += D(k, i) * U.column[k];
  return K;
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const ForceMatrix<T, 1>& U, const Matrix<T, 1, 1>& D) {
  return {{D(0, 0) * U.column[0]}};
}

/// X' (IA - U D^-1 U') X for a joint whose rotor has inertia: D then holds more than S'U, nothing of the difference
/// vanishes and no sparse form applies. Not inlined, to be there once for all joints of N degrees of freedom.
template <class T, int N>
__attribute__((noinline)) ArticulatedInertia<T> pass_with_rotor(const Transform<T>& X, const ArticulatedInertia<T>& I,
                                                                const ForceMatrix<T, N>& U,
                                                                const ForceMatrix<T, N>& K) {
  return transpose_apply(X, project(MotionMatrix<T, N>{}, I, U, K));
}

/// What of the inertia I the parent feels through the joint.
template <class At, class X, class S, class T, int N>
CARDAN_INLINE ArticulatedInertia<T> pass_through(const At& at, const X& x, const S& s, const ArticulatedInertia<T>& I,
                                                 const ForceMatrix<T, N>& U, const ForceMatrix<T, N>& K) {
  if (at.link.has_armature) return pass_with_rotor(general(x), I, U, K);
  return transpose_apply(x, project(s, I, U, K));
}

/// What A becomes for the parent when the joint gives way under the force tau. Done before the joint's turn (see
/// `split`), so that A turns while D^-1 is found; K is kept as it is there.
template <class At, class T>
CARDAN_INLINE void hand_over_yielding(const At& at, Workspace<T>& w, const In<T>& tau, Articulated<T>& A) {
  auto& [X_J, S, K, D_kept, y] = at.record(w);
  const auto [X, turn] = split(at.place(X_J));
  A = {rotate_back(turn, A.I), rotate_back(turn, A.p)};
  const auto U = A.I * S;
  const auto D = LDLT(at.with_armature(dot(S, U))).inverse();  // D^-1
  D_kept = D;
  K = U * D;
  y = D * (at(tau) - dot(S, A.p));
  if (at.link.parent == 0) return;
  A.p = transpose_apply(X, A.p + U * y);    // X' (pA + U D^-1 u)
  A.I = pass_through(at, X, S, A.I, U, K);  // X' (IA - U D^-1 U') X
}

/// Tips to base: articulated inertia and bias force, handed to the parent through the joint. bias_force(at) is the
/// force the body takes while its joints do not accelerate.
template <class T, class BiasForce>
CARDAN_INLINE void pass_articulated_inward(const Model& model, Workspace<T>& w, const In<T>& tau,
                                           const BiasForce& add_bias_force) {
  inward<Articulated<T>>(model, w, [&](const auto& at, Articulated<T>& A) CARDAN_INLINE_LAMBDA {
    A.I += at.template inertia<T>();
    add_bias_force(at, A.p);
    hand_over_yielding(at, w, tau, A);
  });
}

/// The same without forces: articulated inertias only.
template <class T>
CARDAN_INLINE void pass_inertia_inward(const Model& model, Workspace<T>& w) {
  inward<ArticulatedInertia<T>>(model, w, [&](const auto& at, ArticulatedInertia<T>& I) CARDAN_INLINE_LAMBDA {
    auto& [X_J, S, K, D, y] = at.record(w);
    const auto [X, turn] = split(at.place(X_J));
    I += at.template inertia<T>();
    I = rotate_back(turn, I);
    const auto U = I * S;
    D = LDLT(at.with_armature(dot(S, U))).inverse();
    K = U * D;
    if (at.link.parent != 0) I = pass_through(at, X, S, I, U, K);
  });
}

/// Puts every joint where q says.
template <class T>
CARDAN_INLINE void place_joints(const Model& model, Workspace<T>& w, const In<T>& q) {
  turn_joints(model, w, q);
  outward(model, w, Zero{}, [&](const auto& at, Zero&) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.step(w, q, {});
    auto& record = at.record(w);
    record.X_J = X_J;
    record.S = S;
  });
}

/// Base to tips: what the joints' giving way adds to the accelerations.
template <class T>
CARDAN_INLINE void pass_acceleration_outward(const Model& model, Workspace<T>& w, const Out<T>& qdd) {
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& a) CARDAN_INLINE_LAMBDA {
    const auto& [X_J, S, K, D, y] = at.record(w);
    const auto [X, turn] = split(at.place(X_J));
    a = X * a;
    const auto own = minus_dot(y, K, a);  // qdd = y - K' a
    a = rotate(turn, a);
    add_to(a, S, own);
    at.set(qdd, own);
  });
}

/// All that forward dynamics knows before there are accelerations. This and the next are functions of their own for
/// solvers that go on from there in their way.
template <class T>
void articulate(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> tau, ExternalForces<T> f_ext = {}) {
  pass_motion_outward(model, w, q, v, f_ext, [](const auto&, auto&, const auto&) {});
  pass_articulated_inward(model, w, tau, [&](const auto& at, ForceVector<T>& p) CARDAN_INLINE_LAMBDA {
    p += w.force[static_cast<std::size_t>(at.body)];
  });
}
/// The same without velocities, gravity and other forces.
template <class T>
void articulate_at_rest(const Model& model, Workspace<T>& w, In<T> q, In<T> tau) {
  place_joints(model, w, q);
  pass_articulated_inward(model, w, tau, [](const auto&, ForceVector<T>&) {});
}

}  // namespace detail

template <class T>
void forward_dynamics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> tau, Out<T> qdd,
                      ExternalForces<T> f_ext = {}) {
  detail::check_size("forward_dynamics", "q", model.nq(), q.size());
  detail::check_size("forward_dynamics", "v", model.nv(), v.size());
  detail::check_size("forward_dynamics", "tau", model.nv(), tau.size());
  detail::check_size("forward_dynamics", "qdd", model.nv(), qdd.size());
  detail::check_external(model, "forward_dynamics", f_ext);
  detail::articulate<T>(model, w, q, v, tau, f_ext);
  detail::pass_acceleration_outward(model, w, qdd);
}

/// H^-1 x in O(n) (Sueda, Algorithm 10): forward dynamics at rest without gravity.
template <class T>
void inverse_mass_matrix_product(const Model& model, Workspace<T>& w, In<T> q, In<T> x, Out<T> out) {
  detail::check_size("inverse_mass_matrix_product", "q", model.nq(), q.size());
  detail::check_size("inverse_mass_matrix_product", "x", model.nv(), x.size());
  detail::check_size("inverse_mass_matrix_product", "out", model.nv(), out.size());
  detail::articulate_at_rest<T>(model, w, q, x);
  detail::pass_acceleration_outward(model, w, out);
}

// compiled once, in the library
extern template void detail::articulate<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                                ExternalForces<double>);
extern template void detail::articulate_at_rest<double>(const Model&, Workspace<double>&, In<double>, In<double>);
extern template void forward_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                              Out<double>, ExternalForces<double>);
extern template void inverse_mass_matrix_product<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                         Out<double>);

}  // namespace cardan
