// Derivatives of a = FD(q, v, tau) by q (in the tangent space of the joints), v and tau, in closed form:
//   da/dq = -H^-1 dID/dq,  da/dv = -H^-1 dID/dv,  da/dtau = H^-1,
// with the derivatives of inverse dynamics at the acceleration that tau gives, and H = L'DL without fill-in
// (Table 6.3). The right-hand sides stand row by row, so that registers hold neighboring columns of one row.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

namespace cardan {

/// Scratch memory for derivatives of forward dynamics.
template <class T>
class ForwardDerivativeWorkspace {
 public:
  using L = typename Lanes<T>::type;
  static constexpr int width = Lanes<T>::width;

  explicit ForwardDerivativeWorkspace(const Model& model)
      : inverse(model),
        a(static_cast<std::size_t>(model.nv())),
        D_inv(a),
        H_(size(model.nv() * row_size(model.nv()))),
        rows_(size(model.nv() * 3 * row_size(model.nv()))) {}

  DerivativeWorkspace<T> inverse;
  std::vector<T> a, D_inv;

  /// Row i of H, then of L; entries right of the diagonal are not used.
  CARDAN_INLINE T* H(const Model& model, int i) { return H_.data() + i * row_size(model.nv()); }
  /// Row i of the right-hand sides: the columns by q, by v, then those by tau, each from a register's boundary.
  CARDAN_INLINE T* row(const Model& model, int i) { return rows_.data() + i * 3 * row_size(model.nv()); }
  /// Numbers that a row of a square matrix takes. A register may overhang the beginning of a range that starts with the
  /// first column, so that there are as many before it.
  static constexpr int row_size(int nv) { return record_size<T>(nv) + width; }

  /// Overwrites all scratch, for tests.
  void fill(const T& value) {
    inverse.fill(value);
    for (auto* x : {&a, &D_inv}) x->assign(x->size(), value);
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
CARDAN_INLINE void carrying_columns(const Model& model, DerivativeWorkspace<T>& w, int i, int first, int end,
                                    bool external, const RightHandSides<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  const auto phis = w.columns(model, W::phi), psi1s = w.columns(model, W::psi1), psi2s = w.columns(model, W::psi2),
             chis = w.columns(model, W::chi);
  const auto momenta = w.columns(model, W::momentum), turnings = w.columns(model, W::turning),
             externals = w.columns(model, W::external_by_q);
  T U[6], turning[3], force[6];
  for (int c = 0; c < 6; ++c) U[c] = momenta.row(c)[i];
  for (int c = 0; c < 3; ++c) turning[c] = turnings.row(c)[i];
  if (external)
    for (int c = 0; c < 6; ++c) force[c] = externals.row(c)[i];
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L phi[6], chi[6], psi2[6];
    for (int c = 0; c < 6; ++c) {
      phi[c] = Lanes<T>::load(phis.row(c) + k);
      chi[c] = Lanes<T>::load(chis.row(c) + k);
      psi2[c] = Lanes<T>::load(psi2s.row(c) + k);
    }
    L q = product(psi2, U), v = product(chi, U);
    for (int c = 0; c < 3; ++c) {
      q = q + Lanes<T>::load(psi1s.row(c) + k) * L(turning[c]);
      v = v + phi[c] * L(turning[c]);
    }
    if (external)
      for (int c = 0; c < 6; ++c) q = q + phi[c] * L(force[c]);
    Lanes<T>::store_from(q, first - k, out.by_q + k);
    Lanes<T>::store_from(v, first - k, out.by_v + k);
    Lanes<T>::store_from(product(phi, U), first - k, out.H + k);
  }
}

/// Columns [first, end) of row i, of joints that its joint carries.
template <class T>
CARDAN_INLINE void carried_columns(const Model& model, DerivativeWorkspace<T>& w, int i, int first, int end,
                                   const RightHandSides<T>& out) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  const auto by_q = w.columns(model, W::force_by_q), by_v = w.columns(model, W::force_by_v);
  const T* const phi = w.displacement(i);
  for (int k = end - W::width; k > first - W::width; k -= W::width) {
    L q[6], v[6];
    for (int c = 0; c < 6; ++c) {
      q[c] = Lanes<T>::load(by_q.row(c) + k);
      v[c] = Lanes<T>::load(by_v.row(c) + k);
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
  const int size = W::row_size(model.nv()) - W::width;
  for (int i = 0; i < model.nv(); ++i) {
    const int body = model.body_of_dof(i), first = model.link(body).v, own_end = first + model.link(body).nv;
    const RightHandSides<T> row = right_hand_sides(model, w, i);
    for (T* to : {row.by_q, row.by_v, row.H})
      for (int j = 0; j < size; j += W::width) Lanes<T>::store(typename W::L(T(0.0)), to + j);
    for (int last = own_end - 1; last >= 0;) {
      const int start = d.run_start[static_cast<std::size_t>(last)];
      carrying_columns(model, d, i, start, last + 1, external, row);
      last = model.dof_parent(start);
    }
    carried_columns(model, d, i, own_end, model.subtree_dofs_end(body), row);
    row.H[i] += T(model.armature(i));
  }
  subspace_terms(model, d, external, [&](int i, int j, const T& x) { right_hand_sides(model, w, i).by_q[j] += x; });
}

/// H = L'DL in place (Table 6.3), row by row over runs of ancestors.
template <class T>
CARDAN_INLINE void factorize_rows(const Model& model, ForwardDerivativeWorkspace<T>& w) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  for (int k = model.nv() - 1; k >= 0; --k) {
    T* const row = w.H(model, k) + W::width;
    const T D_inv = T(1.0) / row[k];
    w.D_inv[static_cast<std::size_t>(k)] = D_inv;
    for (int i = model.dof_parent(k); i >= 0; i = model.dof_parent(i)) {
      T* const to = w.H(model, i) + W::width;
      const T x = row[i] * D_inv;
      for (int last = i; last >= 0;) {
        const int start = w.inverse.run_start[static_cast<std::size_t>(last)];
        for (int j = last + 1 - W::width; j > start - W::width; j -= W::width)
          Lanes<T>::store_from(Lanes<T>::load(to + j) - L(x) * Lanes<T>::load(row + j), start - j, to + j);
        last = model.dof_parent(start);
      }
    }
    for (int i = model.dof_parent(k); i >= 0; i = model.dof_parent(i)) row[i] = row[i] * D_inv;
  }
}

/// Solves H X = -B for some columns of B, `count` registers wide, in place.
template <int count, class T>
CARDAN_INLINE void solve_columns(const Model& model, ForwardDerivativeWorkspace<T>& w, int first) {
  using W = ForwardDerivativeWorkspace<T>;
  using L = typename W::L;
  const auto at = [&](int i) CARDAN_INLINE_LAMBDA { return w.row(model, i) + first; };
  const auto subtract = [&](L* sum, const T& x, int i) CARDAN_INLINE_LAMBDA {
    for (int c = 0; c < count; ++c) sum[c] = sum[c] - L(x) * Lanes<T>::load(at(i) + c * W::width);
  };
  L sum[count];
  for (int j = model.nv() - 1; j >= 0; --j) {  // L'^-1
    for (int c = 0; c < count; ++c) sum[c] = Lanes<T>::load(at(j) + c * W::width);
    const int end = model.subtree_dofs_end(model.body_of_dof(j));
    for (int i = j + 1; i < end; ++i) subtract(sum, w.H(model, i)[W::width + j], i);
    for (int c = 0; c < count; ++c) Lanes<T>::store(sum[c], at(j) + c * W::width);
  }
  for (int i = 0; i < model.nv(); ++i) {  // (-D)^-1, then L^-1
    const L scale(-w.D_inv[static_cast<std::size_t>(i)]);
    for (int c = 0; c < count; ++c) sum[c] = scale * Lanes<T>::load(at(i) + c * W::width);
    const T* const row = w.H(model, i) + W::width;
    for (int j = model.dof_parent(i); j >= 0; j = model.dof_parent(j)) subtract(sum, row[j], j);
    for (int c = 0; c < count; ++c) Lanes<T>::store(sum[c], at(i) + c * W::width);
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

template <class T>
void differentiate_forward_dynamics(const Model& model, ForwardDerivativeWorkspace<T>& w, const In<T>& q,
                                    const In<T>& v, const In<T>& tau, const DerivativeMatrices<T>& out,
                                    ExternalForces<T> f_ext) {
  using W = ForwardDerivativeWorkspace<T>;
  const bool external = !f_ext.empty(), inverse = out.by_a.cols() > 0;
  forward_dynamics<T>(model, w.inverse.tree, q, v, tau, w.a, f_ext);
  displace_tree(model, w.inverse, q, v, In<T>(w.a), f_ext);
  velocity_columns<true>(model, w.inverse, external);
  derivative_rows(model, w, external);
  const int n = model.nv(), size = W::row_size(n);
  if (inverse)
    for (int i = 0; i < n; ++i) {
      T* const row = right_hand_sides(model, w, i).by_a;
      for (int j = 0; j < n; j += W::width) Lanes<T>::store(typename W::L(T(0.0)), row + j);
      row[i] = T(-1.0);
    }
  factorize_rows(model, w);
  for (int which = 0; which < (inverse ? 3 : 2); ++which) {
    const int begin = W::width + which * size, end = begin + record_size<T>(n);
    int first = begin;
    for (; first + 4 * W::width <= end; first += 4 * W::width) solve_columns<4>(model, w, first);
    for (; first < end; first += W::width) solve_columns<1>(model, w, first);
  }
  transpose_rows(model, w, 0, out.by_q);
  transpose_rows(model, w, 1, out.by_v);
  if (inverse) transpose_rows(model, w, 2, out.by_a);
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
