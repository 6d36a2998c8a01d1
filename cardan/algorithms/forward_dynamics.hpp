// a = FD(model, q, v, tau, f_ext): the articulated-body algorithm (Table 7.1) in its three passes. Equation numbers are
// those of the book.
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
  ForceMatrix<T, N> out;
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) out.column[i] += D(k, i) * U.column[k];
  return out;
}
template <class T>
CARDAN_INLINE ForceMatrix<T, 1> operator*(const ForceMatrix<T, 1>& U, const Matrix<T, 1, 1>& D) {
  return {{D(0, 0) * U.column[0]}};
}

/// X' (IA - U D^-1 U') X for a joint whose rotor has inertia: D then holds more than S'U, nothing of the difference
/// vanishes and no sparse form applies. Not inlined, to be there once for all joints of N degrees of freedom.
template <class T, int N>
__attribute__((noinline)) ArticulatedInertia<T> apparent_inertia_with_rotor(const Transform<T>& X,
                                                                            const ArticulatedInertia<T>& I,
                                                                            const ForceMatrix<T, N>& U,
                                                                            const ForceMatrix<T, N>& gain) {
  return transpose_apply(X, project(MotionMatrix<T, N>{}, I, U, gain));
}

/// I^a expressed in the parent: X' (I^A - U D^-1 U') X (7.47).
template <class At, class X, class S, class T, int N>
CARDAN_INLINE ArticulatedInertia<T> apparent_inertia(const At& at, const X& x, const S& s,
                                                     const ArticulatedInertia<T>& I, const ForceMatrix<T, N>& U,
                                                     const ForceMatrix<T, N>& gain) {
  if (at.link.has_armature) return apparent_inertia_with_rotor(general(x), I, U, gain);
  return transpose_apply(x, project(s, I, U, gain));
}

/// Propagates articulated inertia and bias force of a body to its parent through a joint with applied force tau. Works
/// in the frame before the joint's rotation (see `split`), so that rotating A overlaps with inverting D.
template <class At, class T>
CARDAN_INLINE void propagate_to_parent(const At& at, Workspace<T>& w, const In<T>& tau, Articulated<T>& A) {
  auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
  const auto [X, rotation] = split(at.transform(X_J));
  A = {rotate_back(rotation, A.I), rotate_back(rotation, A.p)};
  const auto U = A.I * S;                                              // (7.43)
  const auto D_inverse = LDLT(at.with_armature(dot(S, U))).inverse();  // (7.44)
  D_inv = D_inverse;
  gain = U * D_inverse;
  y = D_inverse * (at(tau) - dot(S, A.p));  // D^-1 u (7.45)
  if (at.link.parent == 0) return;
  A.p = transpose_apply(X, A.p + U * y);           // p^a (7.48); its I^a c is in the bias force already
  A.I = apparent_inertia(at, X, S, A.I, U, gain);  // I^a (7.47)
}

/// Propagates articulated inertias alone from the tips to the base; no forces.
template <class T>
CARDAN_INLINE void articulated_inertias_inward(const Model& model, Workspace<T>& w) {
  inward<ArticulatedInertia<T>>(model, w, [&](const auto& at, ArticulatedInertia<T>& I) CARDAN_INLINE_LAMBDA {
    auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    const auto [X, rotation] = split(at.transform(X_J));
    I += at.template inertia<T>();
    I = rotate_back(rotation, I);
    const auto U = I * S;
    D_inv = LDLT(at.with_armature(dot(S, U))).inverse();
    gain = U * D_inv;
    if (at.link.parent != 0) I = apparent_inertia(at, X, S, I, U, gain);
  });
}

/// Evaluates X_J and S of every joint at q.
template <class T>
CARDAN_INLINE void evaluate_joints(const Model& model, Workspace<T>& w, const In<T>& q) {
  compute_sincos(model, w, q);
  outward(model, w, Zero{}, [&](const auto& at, Zero&) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    auto& scratch = at.scratch(w);
    scratch.X_J = X_J;
    scratch.S = S;
  });
}

// The passes of Table 7.1. Velocity terms and gravity are all in pass 1, which is inverse dynamics with zero joint
// acceleration; the later passes are linear in the forces and need no c_i.

/// Pass 1, base to tips: the force p_i that each body takes while no joint accelerates (7.34 to 7.36).
template <class T>
CARDAN_INLINE void pass_1_bias_forces(const Model& model, Workspace<T>& w, const In<T>& q, const In<T>& v,
                                      const ExternalForces<T>& f_ext) {
  motion_outward(model, w, q, v, f_ext, [](const auto&, auto&, const auto&) {});
}
/// Pass 2, tips to base: articulated inertias and bias forces. add_bias_force(at, p) adds the body's own.
template <class T, class AddBiasForce>
CARDAN_INLINE void pass_2_articulated_inertias(const Model& model, Workspace<T>& w, const In<T>& tau,
                                               const AddBiasForce& add_bias_force) {
  inward<Articulated<T>>(model, w, [&](const auto& at, Articulated<T>& A) CARDAN_INLINE_LAMBDA {
    A.I += at.template inertia<T>();     // I^A = I + sum of I^a of the children (7.37)
    add_bias_force(at, A.p);             // p^A = p + sum of p^a of the children (7.38)
    propagate_to_parent(at, w, tau, A);  // U, D, u, I^a, p^a (7.43 to 7.48)
  });
}
/// Pass 3, base to tips: accelerations.
template <class T>
CARDAN_INLINE void pass_3_accelerations(const Model& model, Workspace<T>& w, const Out<T>& a) {
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& motion) CARDAN_INLINE_LAMBDA {
    const auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    const auto [X, rotation] = split(at.transform(X_J));
    motion = X * motion;                          // a' (7.46)
    const auto own = minus_dot(y, gain, motion);  // qdd = D^-1 (u - U' a') (7.49)
    motion = rotate(rotation, motion);
    add_to(motion, S, own);  // a_i = a' + S qdd (7.42)
    at.set(a, own);
  });
}

/// Passes 1 and 2 as one compiled function, for solvers that continue from there in their own way.
template <class T>
void articulate(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> tau, ExternalForces<T> f_ext = {}) {
  pass_1_bias_forces(model, w, q, v, f_ext);
  pass_2_articulated_inertias(
      model, w, tau, [&](const auto& at, ForceVector<T>& p) CARDAN_INLINE_LAMBDA { p += w.force[at.index()]; });
}
/// Passes 1 and 2 without velocities, gravity and external forces.
template <class T>
void articulate_at_rest(const Model& model, Workspace<T>& w, In<T> q, In<T> tau) {
  evaluate_joints(model, w, q);
  pass_2_articulated_inertias(model, w, tau, [](const auto&, ForceVector<T>&) {});
}

}  // namespace detail

/// Computes the acceleration a of the joints under the forces tau.
template <class T>
void forward_dynamics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> tau, Out<T> a,
                      ExternalForces<T> f_ext = {}) {
  detail::check_size("forward_dynamics", "q", model.nq(), q.size());
  detail::check_size("forward_dynamics", "v", model.nv(), v.size());
  detail::check_size("forward_dynamics", "tau", model.nv(), tau.size());
  detail::check_size("forward_dynamics", "a", model.nv(), a.size());
  detail::check_external(model, "forward_dynamics", f_ext);
  // pass 1, base to tips: velocity products and the force p_i that each body takes while no joint accelerates
  detail::pass_1_bias_forces(model, w, q, v, f_ext);
  // pass 2, tips to base: articulated inertia I^A and bias force p^A, propagated to the parent through the joint
  detail::pass_2_articulated_inertias(
      model, w, tau, [&](const auto& at, ForceVector<T>& p) CARDAN_INLINE_LAMBDA { p += w.force[at.index()]; });
  // pass 3, base to tips: accelerations of joints and bodies
  detail::pass_3_accelerations(model, w, a);
}

/// H^-1 x in O(n) (Sueda, Algorithm 10): forward dynamics at rest without gravity.
template <class T>
void inverse_mass_matrix_product(const Model& model, Workspace<T>& w, In<T> q, In<T> x, Out<T> out) {
  detail::check_size("inverse_mass_matrix_product", "q", model.nq(), q.size());
  detail::check_size("inverse_mass_matrix_product", "x", model.nv(), x.size());
  detail::check_size("inverse_mass_matrix_product", "out", model.nv(), out.size());
  detail::articulate_at_rest<T>(model, w, q, x);
  detail::pass_3_accelerations(model, w, out);
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
