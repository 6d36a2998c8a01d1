// tau = ID(model, q, v, a, f_ext): recursive Newton-Euler (Table 5.1), on angular velocity and classical
// acceleration as in the original of Luh, Walker and Paul (Table 5.2).
#pragma once

#include "cardan/algorithms/external_forces.hpp"
#include "cardan/algorithms/fold.hpp"
#include "cardan/spatial/newton_euler_motion.hpp"

namespace cardan {

namespace detail {

/// Tips to base: each body's force and what its children pass on load the joint; tau = S' f.
template <class T>
CARDAN_INLINE void forces_inward(const Model& model, Workspace<T>& w, const Out<T>& tau) {
  inward<ForceVector<T>>(model, w, [&](const auto& at, ForceVector<T>& f) CARDAN_INLINE_LAMBDA {
    const auto& scratch = at.scratch(w);
    f += w.force[at.index()];
    at.set(tau, dot(scratch.S, f));
    if (at.link.parent != 0) f = transpose_apply(at.transform(scratch.X_J), f);
  });
}

/// Base to tips: the motion of each body and the force that it takes. `accelerate` adds what the joint itself does.
template <class T, class Accelerate>
CARDAN_INLINE void motion_outward(const Model& model, Workspace<T>& w, const In<T>& q, const In<T>& v,
                                  ExternalForces<T> f_ext, const Vec3<double>& gravity,
                                  const Accelerate& accelerate_joint) {
  compute_sincos(model, w, q);
  if (!f_ext.empty()) world_poses(model, w, q);
  outward(model, w, at_rest<T>(gravity), [&](const auto& at, NewtonEulerMotion<T>& k) CARDAN_INLINE_LAMBDA {
    const auto qd = at(v);
    const auto [X_J, S, c_J] = at.evaluate(w, q, qd);
    propagate(k, at.transform(X_J), S, qd, c_J);  // v = X v + S qd,  a = X a + c_J + v x S qd
    accelerate_joint(at, k, S);
    k.update_tensor();
    const auto i = at.index();
    w.force[i] = at.template moments<T>() * k;  // I a + v x* I v
    if (!f_ext.empty()) w.force[i] -= w.pose[i] * f_ext[i];
    auto& scratch = at.scratch(w);
    scratch.X_J = X_J;
    scratch.S = S;
  });
}
template <class T, class Accelerate>
CARDAN_INLINE void motion_outward(const Model& model, Workspace<T>& w, const In<T>& q, const In<T>& v,
                                  ExternalForces<T> f_ext, const Accelerate& accelerate_joint) {
  motion_outward(model, w, q, v, f_ext, model.gravity(), accelerate_joint);
}

}  // namespace detail

template <class T>
void inverse_dynamics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> a, Out<T> tau,
                      ExternalForces<T> f_ext = {}) {
  detail::check_size("inverse_dynamics", "q", model.nq(), q.size());
  detail::check_size("inverse_dynamics", "v", model.nv(), v.size());
  detail::check_size("inverse_dynamics", "a", model.nv(), a.size());
  detail::check_size("inverse_dynamics", "tau", model.nv(), tau.size());
  detail::check_external(model, "inverse_dynamics", f_ext);
  detail::motion_outward(model, w, q, v, f_ext,
                         [&](const auto& at, auto& k, const auto& S) CARDAN_INLINE_LAMBDA { accelerate(k, S, at(a)); });
  detail::forces_inward(model, w, tau);
  for (int i = 0; i < model.nv(); ++i) tau[i] += T(model.armature(i)) * a[i];
}

/// Coriolis, centrifugal and gravity terms less external forces: C(q, v) = ID(q, v, 0).
template <class T>
void bias(const Model& model, Workspace<T>& w, In<T> q, In<T> v, Out<T> tau, ExternalForces<T> f_ext = {}) {
  detail::check_size("bias", "q", model.nq(), q.size());
  detail::check_size("bias", "v", model.nv(), v.size());
  detail::check_size("bias", "tau", model.nv(), tau.size());
  detail::check_external(model, "bias", f_ext);
  detail::motion_outward(model, w, q, v, f_ext, [](const auto&, auto&, const auto&) {});
  detail::forces_inward(model, w, tau);
}

/// What holds the mechanism at rest against gravity (Eq. 5.12): ID(q, 0, 0).
template <class T>
void gravity(const Model& model, Workspace<T>& w, In<T> q, Out<T> tau) {
  detail::check_size("gravity", "q", model.nq(), q.size());
  detail::check_size("gravity", "tau", model.nv(), tau.size());
  compute_sincos(model, w, q);
  const Vec3<T> up = -Vec3<T>(model.gravity());
  outward(model, w, up, [&](const auto& at, Vec3<T>& a) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    a = rotate(at.transform(X_J).E, a);
    const auto I = at.template inertia<T>();
    w.force[at.index()] = {cross(I.h, a), I.m * a};
    auto& scratch = at.scratch(w);
    scratch.X_J = X_J;
    scratch.S = S;
  });
  detail::forces_inward(model, w, tau);
}

/// ID_delta (Table 6.1): H x, without velocity terms and gravity, in O(n).
template <class T>
void mass_matrix_product(const Model& model, Workspace<T>& w, In<T> q, In<T> x, Out<T> Hx) {
  detail::check_size("mass_matrix_product", "q", model.nq(), q.size());
  detail::check_size("mass_matrix_product", "x", model.nv(), x.size());
  detail::check_size("mass_matrix_product", "Hx", model.nv(), Hx.size());
  compute_sincos(model, w, q);
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& a) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    a = at.transform(X_J) * a;
    add_to(a, S, at(x));
    w.force[at.index()] = at.template inertia<T>() * a;
    auto& scratch = at.scratch(w);
    scratch.X_J = X_J;
    scratch.S = S;
  });
  detail::forces_inward(model, w, Hx);
  for (int i = 0; i < model.nv(); ++i) Hx[i] += T(model.armature(i)) * x[i];
}

// compiled once, in the library
extern template void inverse_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                              Out<double>, ExternalForces<double>);
extern template void bias<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>,
                                  ExternalForces<double>);
extern template void gravity<double>(const Model&, Workspace<double>&, In<double>, Out<double>);
extern template void mass_matrix_product<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>);

}  // namespace cardan
