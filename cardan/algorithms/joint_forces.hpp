// The whole force that each joint transmits (Table 5.1's f): what the parent exerts on the body through the joint,
// reaction forces included. S' f with the rotor's armature * a is tau. After hybrid or forward dynamics all
// accelerations are known, so the same function serves there.
#pragma once

#include "cardan/algorithms/inverse_dynamics.hpp"

namespace cardan {

/// f_i in the axes of body i as the user described it, about that body's origin; entry 0 (the world) is set to zero.
template <class T>
void joint_forces(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> a,
                  std::span<ForceVector<std::type_identity_t<T>>> f, ExternalForces<T> f_ext = {}) {
  detail::check_size("joint_forces", "q", model.nq(), q.size());
  detail::check_size("joint_forces", "v", model.nv(), v.size());
  detail::check_size("joint_forces", "a", model.nv(), a.size());
  detail::check_size("joint_forces", "f", model.bodies() + 1, static_cast<int>(f.size()));
  detail::check_external(model, "joint_forces", f_ext);
  detail::motion_outward(model, w, q, v, f_ext,
                         [&](const auto& at, auto& k, const auto& S) CARDAN_INLINE_LAMBDA { accelerate(k, S, at(a)); });
  f[0] = {};
  inward<ForceVector<T>>(model, w, [&](const auto& at, ForceVector<T>& sum) CARDAN_INLINE_LAMBDA {
    sum += w.force[at.index()];
    f[at.index()] = as<T>(model.frame(model.body_frame(at.body)).X) * sum;
    sum = transpose_apply(at.transform(at.scratch(w).X_J), sum);
  });
}

// compiled once, in the library
extern template void joint_forces<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                          std::span<ForceVector<double>>, ExternalForces<double>);

}  // namespace cardan
