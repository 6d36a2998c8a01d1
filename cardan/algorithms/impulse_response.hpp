// H dv = u + sum_i J_i' iota_i: how velocities jump under impulses at joints and bodies (section 11.7). Impulses are so
// large and so short that positions stay and forces that stay finite, velocity products and gravity among them, do
// nothing; what is left is the articulated-body algorithm on a mechanism at rest: iota = I dv for a body (11.55),
// iota = I^A dv for a handle (11.56), u = H dv (11.57), u = J_i' iota (11.58), dv_i = J_i dv (11.59).
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"

namespace cardan {

/// Computes the jump dv of the joint velocities under impulses u at the joints [N s, N m s] and, where given, impulsive
/// wrenches on the bodies, in world coordinates about the world's origin.
template <class T>
void impulse_response(const Model& model, Workspace<T>& w, In<T> q, In<T> u, Out<T> dv,
                      ExternalForces<T> impulses = {}) {
  detail::check_size("impulse_response", "q", model.nq(), q.size());
  detail::check_size("impulse_response", "u", model.nv(), u.size());
  detail::check_size("impulse_response", "dv", model.nv(), dv.size());
  detail::check_external(model, "impulse_response", impulses);
  // pass 1, base to tips: joints, and where the bodies are
  detail::evaluate_joints(model, w, q);
  if (!impulses.empty()) detail::world_poses(model, w, q);
  // pass 2, tips to base: articulated inertia, and the impulse that a body at rest passes to its parent
  detail::pass_2_articulated_inertias(model, w, u, [&](const auto& at, ForceVector<T>& p) CARDAN_INLINE_LAMBDA {
    if (!impulses.empty()) p -= w.pose[at.index()] * impulses[at.index()];
  });
  // pass 3, base to tips: jumps of joint and body velocities
  detail::pass_3_accelerations(model, w, dv);
}

// compiled once, in the library
extern template void impulse_response<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>,
                                              ExternalForces<double>);

}  // namespace cardan
