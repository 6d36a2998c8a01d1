// Walks over the tree. `outward` goes from the base to the tips and hands each body its parent's value; `inward`
// goes from the tips to the base and hands each body the sum of what its children passed on. Along a chain the value
// stays in a local; it touches memory only where the tree branches.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/workspace.hpp"
#include "cardan/spatial/newton_euler_motion.hpp"

namespace cardan {

/// One joint's own entries in vectors over the whole model.
template <class JointKernelType>
struct At {
  using Kernel = JointKernelType;
  static constexpr int nv = Kernel::nv;
  const Model& model;
  const Link& link;
  int body;

  template <class T>
  CARDAN_INLINE Vector<T, nv> operator()(const VectorView<const T>& all) const {
    Vector<T, nv> own;
    for (int k = 0; k < nv; ++k) own[k] = all[link.v + k];
    if constexpr (Kernel::is_signed) own[0] = T(link.sign) * own[0];
    return own;
  }
  template <class T>
  CARDAN_INLINE void set(const VectorView<T>& all, Vector<T, nv> own) const {
    if constexpr (Kernel::is_signed) own[0] = T(link.sign) * own[0];
    for (int k = 0; k < nv; ++k) all[link.v + k] = own[k];
  }
  template <class T>
  CARDAN_INLINE void add(const VectorView<T>& all, Vector<T, nv> own) const {
    if constexpr (Kernel::is_signed) own[0] = T(link.sign) * own[0];
    for (int k = 0; k < nv; ++k) all[link.v + k] += own[k];
  }
  template <class T>
  CARDAN_INLINE Coordinates<T> coordinates(const Workspace<T>& w, const VectorView<const T>& q) const {
    return {q.data() + link.q, w.sine.data() + link.q, w.cosine.data() + link.q};
  }
  template <class T>
  CARDAN_INLINE auto evaluate(const Workspace<T>& w, const VectorView<const T>& q, const Vector<T, nv>& v) const {
    return Kernel::evaluate(link, model.joint(body), coordinates(w, q), v);
  }
  template <class X>
  CARDAN_INLINE auto transform(const X& X_J) const {
    return Kernel::transform(link, X_J);
  }
  template <class T>
  CARDAN_INLINE RigidBodyInertia<T> inertia() const {
    return RigidBodyInertia<T>(link.I);
  }
  template <class T>
  CARDAN_INLINE MassMoments<T> moments() const {
    return {T(link.I.m), Vec3<T>(link.I.h), Sym3<T>(link.P)};
  }
  template <class T>
  CARDAN_INLINE JointScratch<Kernel, T>& scratch(Workspace<T>& w) const {
    return w.template scratch<Kernel>(body);
  }
  /// The body's entry in vectors over all bodies.
  CARDAN_INLINE std::size_t index() const { return static_cast<std::size_t>(body); }
  /// One past the last velocity of the subtree that this joint carries.
  CARDAN_INLINE int subtree_dofs_end() const { return model.subtree_dofs_end(body); }
  /// D + armature on its diagonal.
  template <class T>
  CARDAN_INLINE Matrix<T, nv, nv> with_armature(Matrix<T, nv, nv> D) const {
    if (link.has_armature)
      for (int k = 0; k < nv; ++k) D(k, k) += T(model.armature(link.v + k));
    return D;
  }
};

/// step(at, value) turns the parent's value into the body's own. Stops after body `last`.
template <class T, class Value, class Step>
CARDAN_INLINE void outward(const Model& model, Workspace<T>& w, const Value& world, Step&& step, int last) {
  Value value = world;
  const Link* const links = &model.link(0);
  for (int i = 1; i <= last; ++i) {
    const Link& link = links[i];
    if (!link.chained) value = link.branch < 0 ? world : w.template branch<Value>(link.branch);
    dispatch(link.kernel, [&]<class Kernel>(Kernel) CARDAN_INLINE_LAMBDA { step(At<Kernel>{model, link, i}, value); });
    if (link.store >= 0) w.template branch<Value>(link.store) = value;
  }
}

template <class T, class Value, class Step>
CARDAN_INLINE void outward(const Model& model, Workspace<T>& w, const Value& world, Step&& step) {
  outward(model, w, world, step, model.bodies());
}

/// step(at, value) turns the sum of the children's values into what the parent gets. Value{} is zero.
template <class Value, class T, class Step>
CARDAN_INLINE void inward(const Model& model, Workspace<T>& w, Step&& step) {
  Value value{};
  const Link* const links = &model.link(0);
  for (int i = model.bodies(); i >= 1; --i) {
    const Link& link = links[i];
    if (link.store >= 0) value += w.template branch<Value>(link.store);
    dispatch(link.kernel, [&]<class Kernel>(Kernel) CARDAN_INLINE_LAMBDA { step(At<Kernel>{model, link, i}, value); });
    if (link.chained) continue;
    if (link.first_into_branch)
      w.template branch<Value>(link.branch) = value;
    else if (link.branch >= 0)
      w.template branch<Value>(link.branch) += value;
    value = Value{};
  }
}

/// Sines and cosines of all coordinates at once.
template <class T>
CARDAN_INLINE void compute_sincos(const Model& model, Workspace<T>& w, const VectorView<const T>& q) {
  sincos_all(q.data(), model.nq(), w.sine.data(), w.cosine.data());
  for (const auto& offset : model.angle_offsets()) {
    T &s = w.sine[static_cast<std::size_t>(offset.q)], &c = w.cosine[static_cast<std::size_t>(offset.q)];
    const T turned = T(offset.c) * s + T(offset.s) * c;
    c = T(offset.c) * c - T(offset.s) * s;
    s = turned;
  }
}

}  // namespace cardan
