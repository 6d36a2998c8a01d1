// Hybrid dynamics: at each joint either the force or the acceleration is given and the other is found, by the
// articulated-body algorithm (Tables 9.2 and 9.3), O(n). As in forward_dynamics all velocity terms, here with the given
// accelerations, are in an inverse-dynamics pass; a joint whose acceleration is given is rigid in the linear rest.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/given.hpp"

namespace cardan {

namespace detail {

/// A rigid joint passes everything on. Not inlined: there once for all joints.
template <class T>
__attribute__((noinline)) void propagate_rigidly(const Transform<T>& X, Articulated<T>& A) {
  A.p = transpose_apply(X, A.p);
  A.I = transpose_apply(X, A.I);
}

inline void check_given(const Model& model, const char* function, GivenAtJoints given) {
  check_size(function, "given", model.bodies() + 1, static_cast<int>(given.size()));
}

}  // namespace detail

/// Fills in `a` where forces are given and `tau` where accelerations are; the other entries are read.
template <class T>
void hybrid_dynamics(const Model& model, Workspace<T>& w, GivenAtJoints given, In<T> q, In<T> v, Out<T> a, Out<T> tau,
                     ExternalForces<T> f_ext = {}) {
  detail::check_given(model, "hybrid_dynamics", given);
  detail::check_size("hybrid_dynamics", "q", model.nq(), q.size());
  detail::check_size("hybrid_dynamics", "v", model.nv(), v.size());
  detail::check_size("hybrid_dynamics", "a", model.nv(), a.size());
  detail::check_size("hybrid_dynamics", "tau", model.nv(), tau.size());
  detail::check_external(model, "hybrid_dynamics", f_ext);
  const In<T> a_given(a.data(), a.size()), tau_given(tau.data(), tau.size());
  const auto moves_as_given = [&](const auto& at) { return given[at.index()] == Given::acceleration; };

  // base to tips: motion and force of each body if the yielding joints did not accelerate
  detail::motion_outward(model, w, q, v, f_ext, [&](const auto& at, auto& k, const auto& S) CARDAN_INLINE_LAMBDA {
    if (moves_as_given(at)) accelerate(k, S, at(a_given));
  });
  // tips to base
  inward<Articulated<T>>(model, w, [&](const auto& at, Articulated<T>& A) CARDAN_INLINE_LAMBDA {
    A.I += at.template inertia<T>();
    A.p += w.force[at.index()];
    if (!moves_as_given(at)) return detail::propagate_to_parent(at, w, tau_given, A);
    auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    gain = rotate_back(split(at.transform(X_J)).rotation, A.I) * S;
    y = dot(S, A.p);
    if (at.link.parent != 0) detail::propagate_rigidly(general(at.transform(X_J)), A);
  });
  // base to tips: what the yielding joints add to the accelerations
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& motion) CARDAN_INLINE_LAMBDA {
    const auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    const auto [X, rotation] = split(at.transform(X_J));
    const MotionVector<T> before_rotation = X * motion;
    motion = rotate(rotation, before_rotation);
    if (moves_as_given(at)) {
      at.set(tau, y + dot(gain, before_rotation));  // tau = S' (pA + IA a)
      for (int i = at.link.v; i < at.link.v + at.nv; ++i) tau[i] += T(model.armature(i)) * a[i];
    } else {
      const auto own = minus_dot(y, gain, before_rotation);  // a = D^-1 (u - U' a)
      add_to(motion, S, own);
      at.set(a, own);
    }
  });
}

// compiled once, in the library
extern template void hybrid_dynamics<double>(const Model&, Workspace<double>&, GivenAtJoints, In<double>, In<double>,
                                             Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
