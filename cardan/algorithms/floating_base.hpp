// Floating bases (sections 9.3 to 9.5): models whose only joint at the world is a free one. Its body is the base, its
// six velocities come first in v, and no force acts in it.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"

namespace cardan {

/// How many velocities the base has.
inline constexpr int kBaseVelocities = 6;

namespace detail {

inline void check_floating(const Model& model, const char* function) {
  const bool free = model.bodies() >= 1 && model.link(1).kernel == JointKernel::free;
  if (free && model.subtree_end(1) == model.bodies() + 1 && !model.link(1).has_armature) return;
  throw std::invalid_argument(std::string(function) +
                              ": needs a floating base: one body on a free joint at the world, without armature, that "
                              "carries all others");
}

template <class T>
CARDAN_INLINE Matrix<T, 6, 6> dense_inertia(const ArticulatedInertia<T>& I) {
  return dot(AllMotions{}, I * AllMotions{});
}

/// The acceleration at which a body that otherwise would need the force p needs none: -I^-1 p.
template <class T>
MotionVector<T> unloaded_acceleration(const ArticulatedInertia<T>& I, const ForceVector<T>& p) {
  return AllMotions{} * LDLT(dense_inertia(I)).solve(dot(AllMotions{}, -p));
}

/// force = I a + p of a subtree whose joints move as given.
template <class T>
using CompositeBody = Articulated<T, RigidBodyInertia<T>>;

template <class T>
CARDAN_INLINE void set_base(const Out<T>& all, const MotionVector<T>& base) {
  for (int i = 0; i < kBaseVelocities; ++i) all[i] = base[i];
}

}  // namespace detail

/// Articulated-body form (Table 9.4); the base's entries of tau are not read. All is weightless here, and what gravity
/// does, to all bodies alike, comes on top at the end.
template <class T>
void floating_base_forward_dynamics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> tau, Out<T> a,
                                    ExternalForces<T> f_ext = {}) {
  constexpr const char* name = "floating_base_forward_dynamics";
  detail::check_floating(model, name);
  detail::check_size(name, "q", model.nq(), q.size());
  detail::check_size(name, "v", model.nv(), v.size());
  detail::check_size(name, "tau", model.nv(), tau.size());
  detail::check_size(name, "a", model.nv(), a.size());
  detail::check_external(model, name, f_ext);

  detail::motion_outward(model, w, q, v, f_ext, Vec3<double>{}, [](const auto&, auto&, const auto&) {});
  Articulated<T> base;
  inward<Articulated<T>>(model, w, [&](const auto& at, Articulated<T>& A) CARDAN_INLINE_LAMBDA {
    A.I += at.template inertia<T>();
    A.p += w.force[at.index()];
    if (at.link.parent == 0)
      base = A;
    else
      detail::propagate_to_parent(at, w, tau, A);
  });
  MotionVector<T> a_base = detail::unloaded_acceleration(base.I, base.p);  // -(I0^A)^-1 p0^A
  outward(model, w, a_base, [&](const auto& at, MotionVector<T>& a_body) CARDAN_INLINE_LAMBDA {
    if (at.link.parent == 0) return;
    const auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    const auto [X, rotation] = split(at.transform(X_J));
    a_body = X * a_body;
    const auto own = minus_dot(y, gain, a_body);
    a_body = rotate(rotation, a_body);
    add_to(a_body, S, own);
    at.set(a, own);
  });
  a_base.linear += rotate(w.template scratch<FreeKernel>(1).X_J.E, Vec3<T>(model.gravity()));
  detail::set_base<T>(a, a_base);
}

/// Table 9.6: finds the base's entries of a, the joints' being given, and the joints' forces; the base's are zero.
template <class T>
void floating_base_inverse_dynamics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, Out<T> a, Out<T> tau,
                                    ExternalForces<T> f_ext = {}) {
  constexpr const char* name = "floating_base_inverse_dynamics";
  detail::check_floating(model, name);
  detail::check_size(name, "q", model.nq(), q.size());
  detail::check_size(name, "v", model.nv(), v.size());
  detail::check_size(name, "a", model.nv(), a.size());
  detail::check_size(name, "tau", model.nv(), tau.size());
  detail::check_external(model, name, f_ext);
  const In<T> a_given(a.data(), a.size());

  // base to tips: motion and force of each body if the base did not accelerate
  detail::motion_outward(model, w, q, v, f_ext, [&](const auto& at, auto& k, const auto& S) CARDAN_INLINE_LAMBDA {
    if (at.link.parent != 0) accelerate(k, S, at(a_given));
  });
  // tips to base: composite inertia and force, gain = I^c S, y = S' p^c
  detail::CompositeBody<T> base;
  inward<detail::CompositeBody<T>>(model, w, [&](const auto& at, detail::CompositeBody<T>& c) CARDAN_INLINE_LAMBDA {
    auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    c.I += at.template inertia<T>();
    c.p += w.force[at.index()];
    if (at.link.parent == 0) {
      base = c;
      return;
    }
    gain = c.I * S;
    y = dot(S, c.p);
    const auto X = at.transform(X_J);
    c.I = transpose_apply(X, c.I);
    c.p = transpose_apply(X, c.p);
  });
  // base to tips: the base's acceleration a_0 in the coordinates of each body; tau = S' (I^c a_0 + p^c)
  const MotionVector<T> a_base = detail::unloaded_acceleration(articulated(base.I), base.p);
  outward(model, w, a_base, [&](const auto& at, MotionVector<T>& a_0) CARDAN_INLINE_LAMBDA {
    if (at.link.parent == 0) return;
    const auto& [X_J, S, gain, D_inv, y] = at.scratch(w);
    a_0 = at.transform(X_J) * a_0;
    at.set(tau, y + dot(gain, a_0));
    for (int i = at.link.v; i < at.link.v + at.nv; ++i) tau[i] += T(model.armature(i)) * a[i];
  });
  detail::set_base<T>(a, a_base);
  detail::set_base<T>(tau, {});
}

// compiled once, in the library
extern template void floating_base_forward_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                            In<double>, Out<double>, ExternalForces<double>);
extern template void floating_base_inverse_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                            Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
