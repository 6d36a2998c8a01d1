// Derivatives of a = FD(q, v, tau) by q (in the tangent space of the joints), v and tau, in closed form:
//   da/dq = -H^-1 dID/dq,  da/dv = -H^-1 dID/dv,  da/dtau = H^-1,
// with the derivatives of inverse dynamics at the acceleration that tau gives, and H = L'DL without fill-in
// (Table 6.3). The right-hand sides stand row by row, so that registers hold neighboring columns of one row. Where
// every joint has a constant S and no external force acts, articulated inertias give the columns without H and dID
// (articulated_derivatives.hpp).
#pragma once

#include "cardan/algorithms/articulated_derivatives.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

#include <algorithm>

namespace cardan {

/// Scratch memory for derivatives of forward dynamics.
template <class T>
class ForwardDerivativeWorkspace {
 public:
  using L = typename Lanes<T>::type;
  static constexpr int width = Lanes<T>::width;

  explicit ForwardDerivativeWorkspace(const Model& model)
      : inverse(model),
        columns(model),
        a(static_cast<std::size_t>(model.nv())),
        D(a),
        D_inv(a),
        H_(size(model.nv() * row_size(model.nv()))),
        rows_(size(model.nv() * 3 * row_size(model.nv()))) {}

  DerivativeWorkspace<T> inverse;
  ArticulatedColumns<T> columns;
  std::vector<T> a, D, D_inv;

  /// Row i of H, then of L: its entries right of the diagonal are not used.
  CARDAN_INLINE T* H(const Model& model, int i) { return H_.data() + i * row_size(model.nv()); }
  /// Row i of the right-hand sides: the columns by q, by v, then those by tau, each from a register's boundary.
  CARDAN_INLINE T* row(const Model& model, int i) { return rows_.data() + i * 3 * row_size(model.nv()); }
  /// Numbers that a row of a square matrix takes. A register may overhang the beginning of a range that starts with the
  /// first column, so that there are as many before it.
  static constexpr int row_size(int nv) { return record_size<T>(nv) + width; }

  /// Overwrites all scratch, for tests.
  void fill(const T& value) {
    inverse.fill(value);
    columns.fill(value);
    for (auto* x : {&a, &D, &D_inv}) x->assign(x->size(), value);
    for (auto* x : {&H_, &rows_}) x->assign(x->size(), value);
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  AlignedVector<T> H_, rows_;
};

namespace detail {

/// Where row i of the three right-hand sides begins.
template <class T>
struct RightHandSides {
  T *by_q, *by_v, *by_a, *H;
};
template <class T>
CARDAN_INLINE RightHandSides<T> right_hand_sides(const Model& model, ForwardDerivativeWorkspace<T>& w, int i) {
  using W = ForwardDerivativeWorkspace<T>;
  T* const row = w.row(model, i) + W::width;
  const int size = W::row_size(model.nv());
  return {row, row + size, row + 2 * size, w.H(model, i) + W::width};
}

/// Columns [first, end) of row i, of joints that carry its joint, or of its own.
template <class T>
CARDAN_INLINE void carrying_columns(const EntryColumns<T>& columns, int i, int first, int end, bool external,
                                    const RightHandSides<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  T U[6], turning[3], force[6];
  for (int c = 0; c < 6; ++c) U[c] = columns.momentum.row(c)[i];
  for (int c = 0; c < 3; ++c) turning[c] = columns.turning.row(c)[i];
  if (external)
    for (int c = 0; c < 6; ++c) force[c] = columns.external.row(c)[i];
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L phi[6], chi[6], psi2[6];
    for (int c = 0; c < 6; ++c) {
      phi[c] = Lanes<T>::load(columns.phi.row(c) + k);
      chi[c] = Lanes<T>::load(columns.chi.row(c) + k);
      psi2[c] = Lanes<T>::load(columns.psi2.row(c) + k);
    }
    L q = product(psi2, U), v = product(chi, U);
    for (int c = 0; c < 3; ++c) {
      q = q + Lanes<T>::load(columns.psi1.row(c) + k) * L(turning[c]);
      v = v + phi[c] * L(turning[c]);
    }
    if (external)
      for (int c = 0; c < 6; ++c) q = q + phi[c] * L(force[c]);
    Lanes<T>::store_from(q, first - k, out.by_q + k);
    Lanes<T>::store_from(v, first - k, out.by_v + k);
    Lanes<T>::store_from(product(phi, U), first - k, out.H + k);
  }
}

/// Columns [first, end) of row i, of joints that its joint carries. `phi` is its own column.
template <class T>
CARDAN_INLINE void carried_columns(const EntryColumns<T>& columns, const T* phi, int first, int end,
                                   const RightHandSides<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L q[6], v[6];
    for (int c = 0; c < 6; ++c) {
      q[c] = Lanes<T>::load(columns.by_q.row(c) + k);
      v[c] = Lanes<T>::load(columns.by_v.row(c) + k);
    }
    Lanes<T>::store_from(product(q, phi), first - k, out.by_q + k);
    Lanes<T>::store_from(product(v, phi), first - k, out.by_v + k);
  }
}

/// Derivatives of inverse dynamics and the lower half of H, row by row; what is beyond the last column is zero, too.
template <class T>
CARDAN_INLINE void derivative_rows(const Model& model, ForwardDerivativeWorkspace<T>& w, bool external) {
  using W = ForwardDerivativeWorkspace<T>;
  DerivativeWorkspace<T>& d = w.inverse;
  const EntryColumns<T> columns(model, d);
  const int size = W::row_size(model.nv()) - W::width;
  for (int i = 0; i < model.nv(); ++i) {
    const int body = model.body_of_dof(i), first = model.link(body).v, own_end = first + model.link(body).nv;
    const RightHandSides<T> row = right_hand_sides(model, w, i);
    for (T* to : {row.by_q, row.by_v, row.H})
      for (int j = 0; j < size; j += W::width) Lanes<T>::store(typename W::L(T(0.0)), to + j);
    for (int last = own_end - 1; last >= 0;) {
      const int start = d.run_start[static_cast<std::size_t>(last)];
      carrying_columns(columns, i, start, last + 1, external, row);
      last = model.dof_parent(start);
    }
    carried_columns(columns, d.displacement(i), own_end, model.subtree_dofs_end(body), row);
    row.H[i] += T(model.armature(i));
  }
  subspace_terms(
      model, d, [&](int body) { return joint_force(d, body, external); },
      [&](int i, int j, const T& x) { right_hand_sides(model, w, i).by_q[j] += x; });
}

/// Subtracts from row i of H, from column `first` on and so many registers wide, what the rows below contribute.
template <int count, class T>
CARDAN_INLINE void eliminate_row(const Model& model, ForwardDerivativeWorkspace<T>& w, int i, int first) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  const auto at = [&](int k, int c) CARDAN_INLINE_LAMBDA { return w.H(model, k) + first + (c + 1) * W::width; };
  const int end = model.subtree_dofs_end(model.body_of_dof(i));
  L sum[count];
  for (int c = 0; c < count; ++c) sum[c] = Lanes<T>::load(at(i, c));
  for (int k = i + 1; k < end; ++k) {
    const L x(w.H(model, k)[W::width + i] * w.D[static_cast<std::size_t>(k)]);
    for (int c = 0; c < count; ++c) sum[c] = sum[c] - x * Lanes<T>::load(at(k, c));
  }
  for (int c = 0; c < count; ++c) Lanes<T>::store(sum[c], at(i, c));
}

/// H = L'DL in place, row by row from the tips: D_i L_ij = H_ij - sum of L_ki D_k L_kj over the k that i carries. A row
/// is written once, so that nothing waits for memory (unlike Table 6.3, which subtracts from rows again and again).
template <class T>
CARDAN_INLINE void factorize_rows(const Model& model, ForwardDerivativeWorkspace<T>& w) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  for (int i = model.nv() - 1; i >= 0; --i) {
    int first = i / W::width * W::width;  // the part with the diagonal comes first
    eliminate_row<1>(model, w, i, first);
    for (; first >= 4 * W::width; first -= 4 * W::width) eliminate_row<4>(model, w, i, first - 4 * W::width);
    for (; first >= W::width; first -= W::width) eliminate_row<1>(model, w, i, first - W::width);
    T* const row = w.H(model, i) + W::width;
    const T D = row[i], D_inv = T(1.0) / D;
    w.D[static_cast<std::size_t>(i)] = D;
    w.D_inv[static_cast<std::size_t>(i)] = D_inv;
    for (int j = 0; j <= i; j += W::width) Lanes<T>::store(L(D_inv) * Lanes<T>::load(row + j), row + j);
  }
}

/// Solves H X = -B for some columns of B, each a register wide and offset[c] from the beginning of a row, in place.
template <int count, class T>
CARDAN_INLINE void solve_columns(const Model& model, ForwardDerivativeWorkspace<T>& w, const int* offset) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  const auto at = [&](int i, int c) CARDAN_INLINE_LAMBDA { return w.row(model, i) + offset[c]; };
  const auto subtract = [&](L* sum, const T& x, int i) CARDAN_INLINE_LAMBDA {
    for (int c = 0; c < count; ++c) sum[c] = sum[c] - L(x) * Lanes<T>::load(at(i, c));
  };
  L sum[count];
  for (int j = model.nv() - 1; j >= 0; --j) {  // L'^-1
    const int end = model.subtree_dofs_end(model.body_of_dof(j));
    if (end == j + 1) continue;
    for (int c = 0; c < count; ++c) sum[c] = Lanes<T>::load(at(j, c));
    for (int i = j + 1; i < end; ++i) subtract(sum, w.H(model, i)[W::width + j], i);
    for (int c = 0; c < count; ++c) Lanes<T>::store(sum[c], at(j, c));
  }
  for (int i = 0; i < model.nv(); ++i) {  // (-D)^-1, then L^-1
    const L scale(-w.D_inv[static_cast<std::size_t>(i)]);
    for (int c = 0; c < count; ++c) sum[c] = scale * Lanes<T>::load(at(i, c));
    const T* const row = w.H(model, i) + W::width;
    for (int j = model.dof_parent(i); j >= 0; j = model.dof_parent(j)) subtract(sum, row[j], j);
    for (int c = 0; c < count; ++c) Lanes<T>::store(sum[c], at(i, c));
  }
}

/// Solves for the columns of so many right-hand sides, several registers at a time.
template <class T>
CARDAN_INLINE void solve_all_columns(const Model& model, ForwardDerivativeWorkspace<T>& w, int sides) {
  using W = ForwardDerivativeWorkspace<T>;
  const int size = W::row_size(model.nv()), registers = record_size<T>(model.nv()) / W::width;
  for (int next = 0; next < sides * registers;) {
    constexpr int most = 8;
    const int left = sides * registers - next, count = left < most ? left : most;
    int offset[most];
    for (int c = 0; c < count; ++c, ++next)
      offset[c] = W::width + next / registers * size + next % registers * W::width;
    switch (count) {
      case 1: solve_columns<1>(model, w, offset); break;
      case 2: solve_columns<2>(model, w, offset); break;
      case 3: solve_columns<3>(model, w, offset); break;
      case 4: solve_columns<4>(model, w, offset); break;
      case 5: solve_columns<5>(model, w, offset); break;
      case 6: solve_columns<6>(model, w, offset); break;
      case 7: solve_columns<7>(model, w, offset); break;
      default: solve_columns<8>(model, w, offset);
    }
  }
}

/// Writes rows as columns of a matrix.
template <class T>
CARDAN_INLINE void transpose_rows(const Model& model, ForwardDerivativeWorkspace<T>& w, int which,
                                  const MatrixView<T>& out) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  const int n = model.nv(), offset = W::width + which * W::row_size(n);
  for (int i = 0; i < n; i += W::width)
    for (int j = 0; j < n; j += W::width) {
      L square[W::width];
      load_records<W::width, T>(
          [&](int lane) CARDAN_INLINE_LAMBDA { return w.row(model, i + lane < n ? i + lane : n - 1) + offset + j; },
          square);
      const int columns = n - j < W::width ? n - j : W::width, rows = n - i < W::width ? n - i : W::width;
      for (int c = 0; c < columns; ++c) Lanes<T>::store_until(square[c], rows, out.column(j + c) + i);
    }
}

/// By L'DL of H: at any joint, under external forces, on any scalar.
template <class T>
void derivatives_by_factors(const Model& model, ForwardDerivativeWorkspace<T>& w, const In<T>& q, const In<T>& v,
                            const In<T>& tau, const DerivativeMatrices<T>& out, ExternalForces<T> f_ext) {
  using W = ForwardDerivativeWorkspace<T>;
  const bool external = !f_ext.empty(), inverse = out.by_a.cols() > 0;
  forward_dynamics<T>(model, w.inverse.tree, q, v, tau, w.a, f_ext);
  displace_tree(model, w.inverse, q, v, In<T>(w.a), f_ext);
  velocity_columns<true>(model, w.inverse, external);
  derivative_rows(model, w, external);
  const int n = model.nv();
  if (inverse)
    for (int i = 0; i < n; ++i) {
      T* const row = right_hand_sides(model, w, i).by_a;
      for (int j = 0; j < n; j += W::width) Lanes<T>::store(typename W::L(T(0.0)), row + j);
      row[i] = T(-1.0);
    }
  factorize_rows(model, w);
  solve_all_columns(model, w, inverse ? 3 : 2);
  transpose_rows(model, w, 0, out.by_q);
  transpose_rows(model, w, 1, out.by_v);
  if (inverse) transpose_rows(model, w, 2, out.by_a);
}

/// By articulated inertias, column by column: on numbers, where every joint's S is constant, without external forces.
template <RealNumber T>
void derivatives_by_columns(const Model& model, ForwardDerivativeWorkspace<T>& w, const In<T>& q, const In<T>& v,
                            const In<T>& tau, const DerivativeMatrices<T>& out) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  DerivativeWorkspace<T>& d = w.inverse;
  std::fill(w.a.begin(), w.a.end(), T(0.0));
  displacements_outward(model, d, q, v, In<T>(w.a), false);
  body_sums(model, d);
  articulate_displaced(model, d, w.columns, tau);
  accelerate_displaced(model, d, w.columns);
  sum_subtrees<SubtreeSums<T>::kNumbers>(model, d);
  forces_of_displacements(model, d, w.columns);
  const bool inverse = out.by_a.cols() > 0;
  const int size = W::row_size(model.nv());
  for (int j = model.nv() - W::width; j > -W::width; j -= W::width) {
    ColumnSweep<T> sweep(model, d, w.columns, j);
    sweep.inward();
    sweep.outward([&](int k, const L& by_q, const L& by_v, const L& by_tau) CARDAN_INLINE_LAMBDA {
      T* const row = w.row(model, k) + W::width + j;
      Lanes<T>::store(by_q, row);
      Lanes<T>::store(by_v, row + size);
      if (inverse) Lanes<T>::store_from(by_tau, -j, out.by_a.column(k) + j);  // row k is column k
    });
  }
  transpose_rows(model, w, 0, out.by_q);
  transpose_rows(model, w, 1, out.by_v);
}

/// Columns one by one are faster than L'DL, or as fast, on every model that was timed (docs/speed.md), where they can
/// be.
template <class T>
void differentiate_forward_dynamics(const Model& model, ForwardDerivativeWorkspace<T>& w, const In<T>& q,
                                    const In<T>& v, const In<T>& tau, const DerivativeMatrices<T>& out,
                                    ExternalForces<T> f_ext) {
  if constexpr (RealNumber<T>)
    if (f_ext.empty() && w.inverse.subspace_by.empty()) return derivatives_by_columns<T>(model, w, q, v, tau, out);
  derivatives_by_factors<T>(model, w, q, v, tau, out, f_ext);
}

}  // namespace detail

/// By q, v and tau: entry (i, j) is the derivative of a_i in direction j. by_tau is H^-1; a view without columns is
/// left out.
template <class T>
void forward_dynamics_derivatives(const Model& model, ForwardDerivativeWorkspace<T>& w, In<T> q, In<T> v, In<T> tau,
                                  OutMatrix<T> by_q, OutMatrix<T> by_v, OutMatrix<T> by_tau,
                                  ExternalForces<T> f_ext = {}) {
  const char* const name = "forward_dynamics_derivatives";
  detail::check_derivatives(model, name, q.size(), v.size(), tau.size(), "tau");
  detail::check_square(model, name, "by_q", by_q);
  detail::check_square(model, name, "by_v", by_v);
  if (by_tau.cols() > 0) detail::check_square(model, name, "by_tau", by_tau);
  detail::check_external(model, name, f_ext);
  detail::differentiate_forward_dynamics<T>(model, w, q, v, tau, {by_q, by_v, by_tau}, f_ext);
}
/// By q and v alone.
template <class T>
void forward_dynamics_derivatives(const Model& model, ForwardDerivativeWorkspace<T>& w, In<T> q, In<T> v, In<T> tau,
                                  OutMatrix<T> by_q, OutMatrix<T> by_v, ExternalForces<T> f_ext = {}) {
  forward_dynamics_derivatives<T>(model, w, q, v, tau, by_q, by_v, MatrixView<T>(nullptr, 0, 0), f_ext);
}

// compiled once, in the library
extern template void forward_dynamics_derivatives<double>(const Model&, ForwardDerivativeWorkspace<double>&, In<double>,
                                                          In<double>, In<double>, MatrixView<double>,
                                                          MatrixView<double>, MatrixView<double>,
                                                          ExternalForces<double>);

}  // namespace cardan
