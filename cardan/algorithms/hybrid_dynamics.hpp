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
__attribute__((noinline)) void hand_over_rigid(const Transform<T>& X, Articulated<T>& A) {
  A.p = transpose_apply(X, A.p);
  A.I = transpose_apply(X, A.I);
}

inline void check_given(const Model& model, const char* function, GivenAtJoints given) {
  check_size(function, "given", model.bodies() + 1, static_cast<int>(given.size()));
}

}  // namespace detail

/// Fills in `qdd` where forces are given and `tau` where accelerations are; the other entries are read.
template <class T>
void hybrid_dynamics(const Model& model, Workspace<T>& w, GivenAtJoints given, In<T> q, In<T> v, Out<T> qdd, Out<T> tau,
                     ExternalForces<T> f_ext = {}) {
  detail::check_given(model, "hybrid_dynamics", given);
  detail::check_size("hybrid_dynamics", "q", model.nq(), q.size());
  detail::check_size("hybrid_dynamics", "v", model.nv(), v.size());
  detail::check_size("hybrid_dynamics", "qdd", model.nv(), qdd.size());
  detail::check_size("hybrid_dynamics", "tau", model.nv(), tau.size());
  detail::check_external(model, "hybrid_dynamics", f_ext);
  const In<T> qdd_given(qdd.data(), qdd.size()), tau_given(tau.data(), tau.size());
  const auto moves_as_given = [&](const auto& at) {
    return given[static_cast<std::size_t>(at.body)] == Given::acceleration;
  };

  // base to tips: motion and force of each body if the yielding joints did not accelerate
  detail::pass_motion_outward(model, w, q, v, f_ext, [&](const auto& at, auto& k, const auto& S) CARDAN_INLINE_LAMBDA {
    if (moves_as_given(at)) accelerate(k, S, at(qdd_given));
  });
  // tips to base
  inward<Articulated<T>>(model, w, [&](const auto& at, Articulated<T>& A) CARDAN_INLINE_LAMBDA {
    A.I += at.template inertia<T>();
    A.p += w.force[static_cast<std::size_t>(at.body)];
    if (!moves_as_given(at)) return detail::hand_over_yielding(at, w, tau_given, A);
    auto& [X_J, S, K, D, y] = at.record(w);
    K = rotate_back(split(at.place(X_J)).turn, A.I) * S;
    y = dot(S, A.p);
    if (at.link.parent != 0) detail::hand_over_rigid(general(at.place(X_J)), A);
  });
  // base to tips: what the yielding joints add to the accelerations
  outward(model, w, MotionVector<T>{}, [&](const auto& at, MotionVector<T>& a) CARDAN_INLINE_LAMBDA {
    const auto& [X_J, S, K, D, y] = at.record(w);
    const auto [X, turn] = split(at.place(X_J));
    const MotionVector<T> before_turn = X * a;
    a = rotate(turn, before_turn);
    if (moves_as_given(at)) {
      at.set(tau, y + dot(K, before_turn));  // tau = S' (pA + IA a)
      for (int i = at.link.v; i < at.link.v + at.nv; ++i) tau[i] += T(model.armature(i)) * qdd[i];
    } else {
      const auto own = minus_dot(y, K, before_turn);  // qdd = D^-1 (u - U' a)
      add_to(a, S, own);
      at.set(qdd, own);
    }
  });
}

// compiled once, in the library
extern template void hybrid_dynamics<double>(const Model&, Workspace<double>&, GivenAtJoints, In<double>, In<double>,
                                             Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
