// Products of a row z with the derivatives of a = FD(q, v, tau), in O(n) and without any matrix: what gradients of runs
// ask for. With mu = H^-1 z they are mu for tau, -(dID/dq)' mu for q and -(dID/dv)' mu for v, where
//   w_k = w_l + phi_k mu_k                                                  base to tips
//   P = sum of I_k w_k,  Q = sum of (2B_k)' w_k,  F = sum of f_k - f_x,k,  E = sum of w_k x* f_x,k   over subtrees
//   (dID/dq)' mu of joint j: (w_l x phi)' F + psi2' P + psi1' Q - phi' E + sum of mu_s (dS_s/dq)' F
//   (dID/dv)' mu of joint j: chi' P + phi' Q
// with phi, psi1, psi2, chi of displacements.hpp, own inertias I and 2B, and external forces f_x fixed in the world.
#pragma once

#include "cardan/algorithms/forward_dynamics_derivatives.hpp"

namespace cardan {

namespace detail {

/// mu = H^-1 z after forward dynamics, whose articulated inertias are in the scratch.
template <class T>
CARDAN_INLINE void solve_articulated(const Model& model, Workspace<T>& w, const In<T>& z, const Out<T>& mu) {
  inward<ForceVector<T>>(model, w, [&](const auto& at, ForceVector<T>& p) CARDAN_INLINE_LAMBDA {
    auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    const auto [X, rotation] = split(at.transform(X_J));
    p = rotate_back(rotation, p);
    const auto u = at(z) - dot(S, p);
    y = D_inv * u;
    if (at.link.parent != 0) p = transpose_apply(X, p + gain * u);
  });
  pass_3_accelerations(model, w, mu);
}

// Numbers of a body's record here: sums over its subtree, then w of the parent and its own.
inline constexpr int kP = 0, kQ = 6, kF = 9, kSummed = 15, kParentW = 16, kOwnW = 22;

/// Base to tips: w.
template <class T>
CARDAN_INLINE void adjoint_motion_outward(const Model& model, DerivativeWorkspace<T>& w, const In<T>& mu) {
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    T* const to = w.sums(i);
    for (int c = 0; c < 6; ++c) {
      T sum = link.parent == 0 ? T(0.0) : w.sums(link.parent)[kOwnW + c];
      to[kParentW + c] = sum;
      for (int r = link.v; r < link.v + link.nv; ++r) sum += w.displacement(r)[c] * mu[r];
      to[kOwnW + c] = sum;
    }
  }
}

/// Tips to base: P, Q, F and E.
template <class T>
CARDAN_INLINE void adjoint_sums_inward(const Model& model, DerivativeWorkspace<T>& w, const ExternalForces<T>& f_ext) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for_each_body(model, w, [&](int k, const SubtreeSums<L>& own) CARDAN_INLINE_LAMBDA {
    const auto record = [&](int lane) CARDAN_INLINE_LAMBDA { return w.sums(k + lane); };
    L at[W::kSums];
    load_records<28, T>(record, at);
    MotionVector<L> turned;
    for (int c = 0; c < 6; ++c) turned[c] = at[kOwnW + c];
    const ForceVector<L> P = own.I * turned;
    const Vec3<L> Q = transpose_apply(own.B, turned);
    for (int c = 0; c < 6; ++c) at[kP + c] = P[c];
    for (int c = 0; c < 3; ++c) at[kQ + c] = Q[c];
    for (int c = 0; c < 6; ++c) at[kF + c] = own.f[c];
    store_records<kSummed, T>(at, record);
  });
  if (!f_ext.empty()) {
    place_external_forces<T>(model, w, f_ext);
    for (int i = 1; i <= model.bodies(); ++i) {
      ForceVector<T>& f = w.external[static_cast<std::size_t>(i)];
      MotionVector<T> turned;
      for (int c = 0; c < 6; ++c) {
        turned[c] = w.sums(i)[kOwnW + c];
        w.sums(i)[kF + c] -= f[c];
      }
      f = cross(turned, f);
    }
    sum_external_forces(model, w);
  }
  sum_subtrees<kSummed>(model, w);
}

/// (dID/dq)' mu and (dID/dv)' mu with their signs turned, several velocities at once.
template <class T>
CARDAN_INLINE void adjoint_entries(const Model& model, DerivativeWorkspace<T>& w, bool external, const Out<T>& by_q,
                                   const Out<T>& by_v) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for (int k = model.nv() - W::width; k > -W::width; k -= W::width) {
    const auto velocity = [k](int lane) CARDAN_INLINE_LAMBDA { return k + lane < 0 ? 0 : k + lane; };
    L at[W::kDisplacement], sums[W::kSums];
    load_records<24, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.displacement(velocity(lane)); }, at);
    load_records<kOwnW, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.sums(model.body_of_dof(velocity(lane))); },
                           sums);
    const auto motion = [&](const L* from) CARDAN_INLINE_LAMBDA {
      MotionVector<L> m;
      for (int c = 0; c < 6; ++c) m[c] = from[c];
      return m;
    };
    const MotionVector<L> phi = motion(at), carried = cross(motion(sums + kParentW), phi);
    L q(T(0.0)), v(T(0.0));
    for (int c = 0; c < 6; ++c) {
      q = q - carried[c] * sums[kF + c] - at[12 + c] * sums[kP + c];
      v = v - at[18 + c] * sums[kP + c];
    }
    for (int c = 0; c < 3; ++c) {
      q = q - at[6 + c] * sums[kQ + c];
      v = v - phi[c] * sums[kQ + c];
    }
    Lanes<T>::store_from(q, -k, by_q.data() + k);
    Lanes<T>::store_from(v, -k, by_v.data() + k);
  }
  if (!external) return;
  for (int i = 0; i < model.nv(); ++i)
    for (int c = 0; c < 6; ++c)
      by_q[i] += w.displacement(i)[c] * w.external[static_cast<std::size_t>(model.body_of_dof(i))][c];
}

}  // namespace detail

/// z' da/dq, z' da/dv and z' da/dtau.
template <class T>
void forward_dynamics_adjoint(const Model& model, ForwardDerivativeWorkspace<T>& w, In<T> q, In<T> v, In<T> tau,
                              In<T> z, Out<T> by_q, Out<T> by_v, Out<T> by_tau, ExternalForces<T> f_ext = {}) {
  const char* const name = "forward_dynamics_adjoint";
  detail::check_derivatives(model, name, q.size(), v.size(), tau.size(), "tau");
  detail::check_size(name, "z", model.nv(), z.size());
  detail::check_size(name, "by_q", model.nv(), by_q.size());
  detail::check_size(name, "by_v", model.nv(), by_v.size());
  detail::check_size(name, "by_tau", model.nv(), by_tau.size());
  detail::check_external(model, name, f_ext);
  DerivativeWorkspace<T>& d = w.inverse;
  forward_dynamics<T>(model, d.tree, q, v, tau, w.a, f_ext);
  detail::solve_articulated(model, d.tree, z, by_tau);
  detail::displacements_outward(model, d, q, v, In<T>(w.a), !f_ext.empty());
  detail::adjoint_motion_outward(model, d, In<T>(by_tau.data(), by_tau.size()));
  detail::adjoint_sums_inward(model, d, f_ext);
  detail::adjoint_entries(model, d, !f_ext.empty(), by_q, by_v);
  const auto force = [&](int body) {
    ForceVector<T> f;
    for (int c = 0; c < 6; ++c) f[c] = d.sums(body)[detail::kF + c];
    return f;
  };
  detail::subspace_terms(model, d, force, [&](int s, int r, const T& x) { by_q[r] -= by_tau[s] * x; });
}

// compiled once, in the library
extern template void forward_dynamics_adjoint<double>(const Model&, ForwardDerivativeWorkspace<double>&, In<double>,
                                                      In<double>, In<double>, In<double>, Out<double>, Out<double>,
                                                      Out<double>, ExternalForces<double>);

}  // namespace cardan
