// How a tree moves when its configuration and velocity are displaced, in one stationary frame for each tree: that of
// its root body at the instant. Displacing the joint velocity r of body j by dq turns and shifts all bodies beyond by
// the column phi of the joint, and
//   dv_k = phi x v_k + psi1,   da_k = phi x a_k + psi1 x v_k + psi2   for every body k beyond and j itself,
//   psi1 = v_l x phi + E,      psi2 = a_l x phi + v_l x psi1 + v_j x E + A,
// where l is the parent, and E and A are the derivatives of the joint's own S v and S a + c_J. Displacing the velocity
// by dv gives dv_k = phi and da_k = phi x v_k + chi, chi = v_j x phi + S_dot + psi1.
#pragma once

#include "cardan/algorithms/derivative_workspace.hpp"
#include "cardan/algorithms/external_forces.hpp"
#include "cardan/joints/joint_derivatives.hpp"
#include "cardan/spatial/coriolis_inertia.hpp"

namespace cardan::detail {

/// The columns of S in the frame that X leads from.
template <class T, int A>
CARDAN_INLINE MotionMatrix<T, 1> columns_before(const Transform<T>& X, UnitRotation<A>) {
  return {{{X.E.row[A], cross(X.r, X.E.row[A])}}};
}
template <class T, int A>
CARDAN_INLINE MotionMatrix<T, 1> columns_before(const Transform<T>& X, UnitTranslation<A>) {
  return {{{Vec3<T>{}, X.E.row[A]}}};
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 1> columns_before(const Transform<T>& X, const TranslationAlong<T>& S) {
  return {{{Vec3<T>{}, rotate_back(X.E, S.d)}}};
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 3> columns_before(const Transform<T>& X, AllRotations) {
  MotionMatrix<T, 3> out;
  for (int i = 0; i < 3; ++i) out.column[i] = {X.E.row[i], cross(X.r, X.E.row[i])};
  return out;
}
template <class T>
CARDAN_INLINE MotionMatrix<T, 6> columns_before(const Transform<T>& X, AllMotions) {
  MotionMatrix<T, 6> out;
  for (int i = 0; i < 3; ++i) {
    out.column[i] = {X.E.row[i], cross(X.r, X.E.row[i])};
    out.column[3 + i] = {Vec3<T>{}, X.E.row[i]};
  }
  return out;
}
template <class T, int N>
CARDAN_INLINE MotionMatrix<T, N> columns_before(const Transform<T>& X, const MotionMatrix<T, N>& S) {
  MotionMatrix<T, N> out;
  for (int i = 0; i < N; ++i) out.column[i] = inverse_apply(X, S.column[i]);
  return out;
}

template <class T>
CARDAN_INLINE void write(const MotionVector<T>& m, T* to) {
  for (int c = 0; c < 6; ++c) to[c] = m[c];
}

/// Where a body is and how it moves: X from the frame of its tree.
template <class T>
struct TreeMotion {
  Transform<T> X = Transform<T>::identity();
  MotionVector<T> v, a;

  CARDAN_INLINE void write(T* to) const {
    for (int i = 0; i < 9; ++i) to[i] = X.E(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) to[9 + i] = X.r[i];
    detail::write(v, to + 12);
    detail::write(a, to + 18);
  }
};

/// Adds what the joint's changing S contributes to psi1, psi2 and chi; keeps dS for the joint's own entries.
template <class T, int N>
void add_joint_derivatives(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v, const Vector<T, N>& a,
                           const Transform<T>& X, MotionVector<T>* S_by, MotionMatrix<T, N>& v_by,
                           MotionMatrix<T, N>& a_by, MotionMatrix<T, N>& S_dot) {
  const JointDerivatives<T, N> d = joint_derivatives<T, N>(joint, q, v, a);
  for (int r = 0; r < N; ++r) {
    v_by.column[r] = inverse_apply(X, d.v_by.column[r]);
    a_by.column[r] = inverse_apply(X, d.a_by.column[r]);
    S_dot.column[r] = inverse_apply(X, d.S_dot.column[r]);
    for (int s = 0; s < N; ++s) S_by[r * N + s] = d.S_by[r].column[s];
  }
}

/// Base to tips: motion of bodies, and phi, psi1, psi2 and chi of every velocity.
template <class T>
CARDAN_INLINE void displacements_outward(const Model& model, DerivativeWorkspace<T>& w, const In<T>& q, const In<T>& v,
                                         const In<T>& a, bool keep_root_poses) {
  compute_sincos(model, w.tree, q);
  outward(model, w.tree, TreeMotion<T>{}, [&](const auto& at, TreeMotion<T>& m) CARDAN_INLINE_LAMBDA {
    using Kernel = typename std::remove_cvref_t<decltype(at)>::Kernel;
    constexpr int N = Kernel::nv;
    const auto qd = at(v);
    const auto [X_J, S, c_J] = at.evaluate(w.tree, q, qd);
    const auto X = at.transform(X_J);
    if (at.link.parent == 0) {
      m.a = {Vec3<T>{}, rotate(X.E, -Vec3<T>(model.gravity()))};
      if (keep_root_poses) w.tree.pose[at.index()] = general(X);
    } else {
      m.X = X * m.X;
    }
    MotionMatrix<T, N> phi = columns_before(m.X, S), psi1, v_by, a_by, S_dot;
    if constexpr (Kernel::is_signed) phi.column[0] = T(at.link.sign) * phi.column[0];
    if constexpr (has_changing_S<Kernel>)
      add_joint_derivatives<T, N>(model.joint(at.body), at.coordinates(w.tree, q), qd, at(a), m.X,
                                  w.subspace_by.data() + w.subspace_start[at.index()], v_by, a_by, S_dot);
    const MotionVector<T> v_l = m.v, a_l = m.a;
    for (int r = 0; r < N; ++r) {
      psi1.column[r] = cross(v_l, phi.column[r]);
      if constexpr (has_changing_S<Kernel>) psi1.column[r] += v_by.column[r];
      m.v += v[at.link.v + r] * phi.column[r];
      m.a += a[at.link.v + r] * phi.column[r] + v[at.link.v + r] * psi1.column[r];
    }
    for (int r = 0; r < N; ++r) {
      MotionVector<T> psi2 = cross(a_l, phi.column[r]) + cross(v_l, psi1.column[r]);
      MotionVector<T> chi = cross(m.v, phi.column[r]) + psi1.column[r];
      if constexpr (has_changing_S<Kernel>) {
        psi2 += cross(m.v, v_by.column[r]) + a_by.column[r];
        chi += S_dot.column[r];
      }
      T* const to = w.displacement(at.link.v + r);
      write(phi.column[r], to);
      write(psi1.column[r], to + 6);
      write(psi2, to + 12);
      write(chi, to + 18);
    }
    m.write(w.motion(at.body));
  });
}

/// What a subtree adds up to: inertia, 2B and the force that its motion takes.
template <class T>
struct SubtreeSums {
  RigidBodyInertia<T> I;
  CoriolisInertia<T> B;
  ForceVector<T> f;

  static constexpr int kNumbers = 28;

  CARDAN_INLINE void write(T* to) const {
    to[0] = I.m;
    for (int i = 0; i < 3; ++i) to[1 + i] = I.h[i];
    for (int i = 0; i < 6; ++i) to[4 + i] = I.I.e[i];
    for (int i = 0; i < 6; ++i) to[10 + i] = B.C.e[i];
    for (int i = 0; i < 3; ++i) to[16 + i] = B.n[i];
    for (int i = 0; i < 3; ++i) to[19 + i] = B.f[i];
    for (int i = 0; i < 6; ++i) to[22 + i] = f[i];
  }
  static CARDAN_INLINE SubtreeSums read(const T* from) {
    SubtreeSums out;
    out.I.m = from[0];
    for (int i = 0; i < 3; ++i) out.I.h[i] = from[1 + i];
    for (int i = 0; i < 6; ++i) out.I.I.e[i] = from[4 + i];
    for (int i = 0; i < 6; ++i) out.B.C.e[i] = from[10 + i];
    for (int i = 0; i < 3; ++i) out.B.n[i] = from[16 + i];
    for (int i = 0; i < 3; ++i) out.B.f[i] = from[19 + i];
    for (int i = 0; i < 6; ++i) out.f[i] = from[22 + i];
    return out;
  }
};

/// Calls keep(k, sums) with the own inertia, 2B and force of several bodies at once, the first of which is k.
template <class T, class Keep>
CARDAN_INLINE void for_each_body(const Model& model, DerivativeWorkspace<T>& w, const Keep& keep) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for (int k = 1; k <= model.bodies(); k += W::width) {
    L in[W::kMotion];
    load_records<24, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.motion(k + lane); }, in);
    const auto constant = [&](int r) CARDAN_INLINE_LAMBDA { return Lanes<T>::load(w.inertia(model, r) + k); };
    Transform<L> X;
    for (int i = 0; i < 9; ++i) X.E(i / 3, i % 3) = in[i];
    for (int i = 0; i < 3; ++i) X.r[i] = in[9 + i];
    MotionVector<L> v, a;
    for (int c = 0; c < 6; ++c) {
      v[c] = in[12 + c];
      a[c] = in[18 + c];
    }
    const RigidBodyInertia<L> own(
        constant(0), Vec3<L>{constant(1), constant(2), constant(3)},
        Sym3<L>{constant(4), constant(5), constant(6), constant(7), constant(8), constant(9)});
    SubtreeSums<L> sums;
    sums.I = transpose_apply(X, own);
    const ForceVector<L> momentum = sums.I * v;
    sums.B = coriolis_inertia(sums.I, v, momentum);
    sums.f = sums.I * a + cross(v, momentum);
    keep(k, sums);
  }
}

/// Writes every body's own terms to where its subtree's are summed.
template <class T>
CARDAN_INLINE void body_sums(const Model& model, DerivativeWorkspace<T>& w) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for_each_body(model, w, [&](int k, const SubtreeSums<L>& sums) CARDAN_INLINE_LAMBDA {
    L out[W::kSums];
    sums.write(out);
    store_records<28, T>(out, [&](int lane) CARDAN_INLINE_LAMBDA { return w.sums(k + lane); });
  });
}

/// Tips to base: sums the first numbers of the bodies' records over subtrees. Trees do not mix: each has its own frame.
template <int numbers, class T>
CARDAN_INLINE void sum_subtrees(const Model& model, DerivativeWorkspace<T>& w) {
  constexpr int width = Lanes<T>::width;
  for (int i = model.bodies(); i >= 1; --i) {
    const int parent = model.link(i).parent;
    if (parent == 0) continue;
    T *const to = w.sums(parent), *const from = w.sums(i);
    for (int c = 0; c < numbers; c += width) Lanes<T>::store(Lanes<T>::load(to + c) + Lanes<T>::load(from + c), to + c);
  }
}

/// External forces in the frames of the trees; poses of the root bodies must be there.
template <class T>
void place_external_forces(const Model& model, DerivativeWorkspace<T>& w, const ExternalForces<T>& f_ext) {
  for (int i = 1, root = 1; i <= model.bodies(); ++i) {
    if (model.link(i).parent == 0) root = i;
    w.external[static_cast<std::size_t>(i)] =
        w.tree.pose[static_cast<std::size_t>(root)] * f_ext[static_cast<std::size_t>(i)];
  }
}
/// Tips to base: sums them over subtrees.
template <class T>
void sum_external_forces(const Model& model, DerivativeWorkspace<T>& w) {
  for (int i = model.bodies(); i >= 1; --i)
    if (const int parent = model.link(i).parent; parent != 0)
      w.external[static_cast<std::size_t>(parent)] += w.external[static_cast<std::size_t>(i)];
}

}  // namespace cardan::detail
