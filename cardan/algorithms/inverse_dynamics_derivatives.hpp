// Derivatives of tau = ID(q, v, a) by q (in the tangent space of the joints), v and a, in closed form (Carpentier and
// Mansard 2018; Singh, Russell and Wensing 2022), for joints of every kind. External forces are fixed in the world.
//
// With phi, psi1, psi2 and chi of displacements.hpp, I, 2B and f_in sums over subtrees, f_x the external forces on
// them:
//   j carries i, or they are of one joint:
//     dtau_i/dq_j = phi_i' (I_i psi2_j + 2B_i psi1_j + phi_j x* f_x,i)      + (dS_i/dq_j)' f of one joint
//     dtau_i/dv_j = phi_i' (I_i chi_j + 2B_i phi_j)
//   i carries j:
//     dtau_i/dq_j = phi_i' (I_j psi2_j + 2B_j psi1_j + phi_j x* f_in,j)
//     dtau_i/dv_j = phi_i' (I_j chi_j + 2B_j phi_j)
//   dtau_i/da_j = phi_i' I phi_j: the mass matrix, with rotors.
#pragma once

#include "cardan/algorithms/displacements.hpp"

namespace cardan {

namespace detail {

/// What one velocity contributes to the entries of others, several velocities at once. Lanes are taken from the end.
/// Entries row by row need its displacements in lanes, too.
template <bool by_rows, class T>
CARDAN_INLINE void velocity_columns(const Model& model, DerivativeWorkspace<T>& w, bool external) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  const auto columns = [&](typename W::Column which) { return w.columns(model, which); };
  const auto phis = columns(W::phi), momenta = columns(W::momentum), turnings = columns(W::turning),
             by_q = columns(W::force_by_q), by_v = columns(W::force_by_v), externals = columns(W::external_by_q);
  for (int k = model.nv() - W::width; k > -W::width; k -= W::width) {
    const auto velocity = [k](int lane) CARDAN_INLINE_LAMBDA { return k + lane < 0 ? 0 : k + lane; };
    L at[W::kDisplacement], sums[W::kSums];
    load_records<24, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.displacement(velocity(lane)); }, at);
    load_records<28, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.sums(model.body_of_dof(velocity(lane))); }, sums);
    const auto motion = [&](int first) CARDAN_INLINE_LAMBDA {
      MotionVector<L> m;
      for (int c = 0; c < 6; ++c) m[c] = at[first + c];
      return m;
    };
    const MotionVector<L> phi = motion(0), psi1 = motion(6), psi2 = motion(12), chi = motion(18);
    const auto s = SubtreeSums<L>::read(sums);
    phis.store(k, phi);
    momenta.store(k, s.I * phi);
    turnings.store(k, ForceVector<L>{transpose_apply(s.B, phi), Vec3<L>{}});
    by_q.store(k, s.I * psi2 + s.B * psi1 + cross(phi, s.f));
    by_v.store(k, s.I * chi + s.B * phi);
    if constexpr (by_rows) {
      columns(W::psi1).store(k, psi1);
      columns(W::psi2).store(k, psi2);
      columns(W::chi).store(k, chi);
    }
    if (!external) continue;
    ForceVector<L> f;
    for (int lane = 0; lane < W::width; ++lane)
      for (int c = 0; c < 6; ++c)
        f[c] = Lanes<T>::with(f[c], lane, w.external[static_cast<std::size_t>(model.body_of_dof(velocity(lane)))][c]);
    externals.store(k, -cross(phi, f));
  }
}

/// Where derivatives go; a matrix without columns is not wanted.
template <class T>
struct DerivativeMatrices {
  MatrixView<T> by_q, by_v, by_a;
};

/// The columns that entries are products of.
template <class T>
struct EntryColumns {
  using W = DerivativeWorkspace<T>;
  typename W::Columns phi, psi1, psi2, chi, momentum, turning, by_q, by_v, external;

  EntryColumns(const Model& model, W& w)
      : phi(w.columns(model, W::phi)),
        psi1(w.columns(model, W::psi1)),
        psi2(w.columns(model, W::psi2)),
        chi(w.columns(model, W::chi)),
        momentum(w.columns(model, W::momentum)),
        turning(w.columns(model, W::turning)),
        by_q(w.columns(model, W::force_by_q)),
        by_v(w.columns(model, W::force_by_v)),
        external(w.columns(model, W::external_by_q)) {}
};

template <class L, class T>
CARDAN_INLINE L product(const L* lanes, const T* numbers) {
  L sum = lanes[0] * L(numbers[0]);
  for (int c = 1; c < 6; ++c) sum = sum + lanes[c] * L(numbers[c]);
  return sum;
}

/// Rows [first, end) of column j: those of its own joint and of the joints that it carries. `at` is what displacing j
/// moves: phi, psi1, psi2 and chi.
template <class T>
CARDAN_INLINE void carried_rows(const EntryColumns<T>& columns, const T* at, int j, int first, int end, bool external,
                                const DerivativeMatrices<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  const T *const psi1 = at + 6, *const psi2 = at + 12, *const chi = at + 18;
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L U[6], turning[3];
    for (int c = 0; c < 6; ++c) U[c] = Lanes<T>::load(columns.momentum.row(c) + k);
    for (int c = 0; c < 3; ++c) turning[c] = Lanes<T>::load(columns.turning.row(c) + k);
    L q = product(U, psi2), v = product(U, chi);
    for (int c = 0; c < 3; ++c) {
      q = q + turning[c] * L(psi1[c]);
      v = v + turning[c] * L(at[c]);
    }
    if (external)
      for (int c = 0; c < 6; ++c) q = q + Lanes<T>::load(columns.external.row(c) + k) * L(at[c]);
    Lanes<T>::store_from(q, first - k, out.by_q.column(j) + k);
    Lanes<T>::store_from(v, first - k, out.by_v.column(j) + k);
    if (out.by_a.cols() > 0) Lanes<T>::store_from(product(U, at), first - k, out.by_a.column(j) + k);
  }
}

/// Rows [first, end) of column j, which are of joints that carry it.
template <class T>
CARDAN_INLINE void carrying_rows(const EntryColumns<T>& columns, int j, int first, int end,
                                 const DerivativeMatrices<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  T q[6], v[6], a[6];
  for (int c = 0; c < 6; ++c) {
    q[c] = columns.by_q.row(c)[j];
    v[c] = columns.by_v.row(c)[j];
    a[c] = columns.momentum.row(c)[j];
  }
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L phi[6];
    for (int c = 0; c < 6; ++c) phi[c] = Lanes<T>::load(columns.phi.row(c) + k);
    Lanes<T>::store_from(product(phi, q), first - k, out.by_q.column(j) + k);
    Lanes<T>::store_from(product(phi, v), first - k, out.by_v.column(j) + k);
    if (out.by_a.cols() > 0) Lanes<T>::store_from(product(phi, a), first - k, out.by_a.column(j) + k);
  }
}

template <class T>
CARDAN_INLINE void clear_column(const MatrixView<T>& matrix, int j) {
  constexpr int width = Lanes<T>::width;
  const int n = matrix.rows();
  const typename Lanes<T>::type zero(T(0.0));
  int i = 0;
  for (; i + width <= n; i += width) Lanes<T>::store(zero, matrix.column(j) + i);
  if (i < n) Lanes<T>::store_until(zero, n - i, matrix.column(j) + i);
}

/// All entries, column by column; those of joints of which neither carries the other are zero.
template <class T>
CARDAN_INLINE void derivative_entries(const Model& model, DerivativeWorkspace<T>& w, bool external,
                                      const DerivativeMatrices<T>& out) {
  const EntryColumns<T> columns(model, w);
  const bool is_chain = model.density() == 1.0;
  for (int j = 0; j < model.nv(); ++j) {
    if (!is_chain)
      for (const MatrixView<T>* matrix : {&out.by_q, &out.by_v, &out.by_a})
        if (matrix->cols() > 0) clear_column(*matrix, j);
    const int body = model.body_of_dof(j), first = model.link(body).v;
    carried_rows(columns, w.displacement(j), j, first, model.subtree_dofs_end(body), external, out);
    for (int last = model.dof_parent(first); last >= 0;) {
      const int start = w.run_start[static_cast<std::size_t>(last)];
      carrying_rows(columns, j, start, last + 1, out);
      last = model.dof_parent(start);
    }
  }
}

/// Calls add(s, r, (dS_s/dq_r)' f) for the velocities of joints whose S changes: f = force(body) is the force through
/// the joint, in the frame of its tree.
template <class T, class Force, class Add>
CARDAN_INLINE void subspace_terms(const Model& model, DerivativeWorkspace<T>& w, const Force& force, const Add& add) {
  if (w.subspace_by.empty()) return;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    const int start = w.subspace_start[static_cast<std::size_t>(i)];
    if (w.subspace_start[static_cast<std::size_t>(i + 1)] == start) continue;
    const T* const m = w.motion(i);
    Transform<T> X;
    for (int k = 0; k < 9; ++k) X.E(k / 3, k % 3) = m[k];
    for (int k = 0; k < 3; ++k) X.r[k] = m[9 + k];
    const ForceVector<T> f = X * force(i);
    for (int r = 0; r < link.nv; ++r)
      for (int s = 0; s < link.nv; ++s)
        add(link.v + s, link.v + r, dot(w.subspace_by[static_cast<std::size_t>(start + r * link.nv + s)], f));
  }
}
/// The force through the joint of a body, from the sums over its subtree.
template <class T>
CARDAN_INLINE ForceVector<T> joint_force(DerivativeWorkspace<T>& w, int body, bool external) {
  ForceVector<T> f = SubtreeSums<T>::read(w.sums(body)).f;
  if (external) f -= w.external[static_cast<std::size_t>(body)];
  return f;
}

/// Passes 1 and 2 of all derivatives of dynamics.
template <class T>
CARDAN_INLINE void displace_tree(const Model& model, DerivativeWorkspace<T>& w, const In<T>& q, const In<T>& v,
                                 const In<T>& a, const ExternalForces<T>& f_ext) {
  // pass 1, base to tips: motion of the bodies and displacements of all velocities
  displacements_outward(model, w, q, v, a, !f_ext.empty());
  // pass 2, tips to base: sums of inertia, 2B and force over subtrees
  body_sums(model, w);
  sum_subtrees<SubtreeSums<T>::kNumbers>(model, w);
  if (f_ext.empty()) return;
  place_external_forces<T>(model, w, f_ext);
  sum_external_forces(model, w);
}

template <class T>
void differentiate_inverse_dynamics(const Model& model, DerivativeWorkspace<T>& w, const In<T>& q, const In<T>& v,
                                    const In<T>& a, const DerivativeMatrices<T>& out, ExternalForces<T> f_ext) {
  const bool external = !f_ext.empty();
  displace_tree(model, w, q, v, a, f_ext);
  // pass 3: products of what each velocity contributes
  velocity_columns<false>(model, w, external);
  derivative_entries(model, w, external, out);
  subspace_terms(
      model, w, [&](int body) { return joint_force(w, body, external); },
      [&](int i, int j, const T& x) { out.by_q(i, j) += x; });
  if (out.by_a.cols() > 0)
    for (int i = 0; i < model.nv(); ++i) out.by_a(i, i) += T(model.armature(i));
}

inline void check_derivatives(const Model& model, const char* function, int q, int v, int third, const char* name) {
  check_size(function, "q", model.nq(), q);
  check_size(function, "v", model.nv(), v);
  check_size(function, name, model.nv(), third);
}
template <class T>
void check_square(const Model& model, const char* function, const char* what, const MatrixView<T>& matrix) {
  check_size(function, what, model.nv(), model.nv(), matrix.rows(), matrix.cols());
}

}  // namespace detail

/// By q, v and a: entry (i, j) is the derivative of tau_i in direction j. by_a is the mass matrix; a view without
/// columns is left out.
template <class T>
void inverse_dynamics_derivatives(const Model& model, DerivativeWorkspace<T>& w, In<T> q, In<T> v, In<T> a,
                                  OutMatrix<T> by_q, OutMatrix<T> by_v, OutMatrix<T> by_a,
                                  ExternalForces<T> f_ext = {}) {
  const char* const name = "inverse_dynamics_derivatives";
  detail::check_derivatives(model, name, q.size(), v.size(), a.size(), "a");
  detail::check_square(model, name, "by_q", by_q);
  detail::check_square(model, name, "by_v", by_v);
  if (by_a.cols() > 0) detail::check_square(model, name, "by_a", by_a);
  detail::check_external(model, name, f_ext);
  detail::differentiate_inverse_dynamics<T>(model, w, q, v, a, {by_q, by_v, by_a}, f_ext);
}
/// By q and v alone.
template <class T>
void inverse_dynamics_derivatives(const Model& model, DerivativeWorkspace<T>& w, In<T> q, In<T> v, In<T> a,
                                  OutMatrix<T> by_q, OutMatrix<T> by_v, ExternalForces<T> f_ext = {}) {
  inverse_dynamics_derivatives<T>(model, w, q, v, a, by_q, by_v, MatrixView<T>(nullptr, 0, 0), f_ext);
}

// compiled once, in the library
extern template void inverse_dynamics_derivatives<double>(const Model&, DerivativeWorkspace<double>&, In<double>,
                                                          In<double>, In<double>, MatrixView<double>,
                                                          MatrixView<double>, MatrixView<double>,
                                                          ExternalForces<double>);

}  // namespace cardan
