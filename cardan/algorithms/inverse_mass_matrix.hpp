// H^-1 as a full matrix: composite bodies, H = L'DL, then H^-1 = L^-1 D^-1 L^-T, all in the memory of the result. L is
// kept in the upper triangle (L_ij at row j, column i), where the ancestors of i lie in few runs of neighbours.
#pragma once

#include "cardan/algorithms/mass_matrix.hpp"

namespace cardan {

namespace detail {

/// Calls f(first, last) for the runs of neighbouring indices among i and its ancestors.
template <class F>
CARDAN_INLINE void ancestor_runs(const Model& model, int i, const F& f) {
  while (i >= 0) {
    const int first = model.dof_run_start(i);
    f(first, i);
    i = model.dof_parent(first);
  }
}

/// y[k] -= a x[k] for first <= k < end.
template <class T>
CARDAN_INLINE void subtract(const T& a, const T* x, T* y, int first, int end) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (int k = first; k < end; ++k) y[k] -= a * x[k];
}

}  // namespace detail

template <class T>
void inverse_mass_matrix(const Model& model, Workspace<T>& w, In<T> q, MatrixView<T> out) {
  detail::check_size("inverse_mass_matrix", "q", model.nq(), q.size());
  detail::check_size("inverse_mass_matrix", "out", model.nv(), model.nv(), out.rows(), out.cols());
  mass_matrix(model, w, q, out);
  const int n = model.nv();

  // factorise: column k holds row k of L above its diagonal, and 1/D_k on it
  for (int k = n - 1; k >= 0; --k) {
    const T inverse_D = T(1.0) / out(k, k);
    T* row_k = out.column(k);
    detail::ancestor_runs(model, model.dof_parent(k), [&](int first, int last) {
      for (int i = last; i >= first; --i) {
        const T a = row_k[i] * inverse_D;
        detail::ancestor_runs(model, i, [&](int from, int to) { detail::subtract(a, row_k, out.column(i), from, to + 1); });
        row_k[i] = a;
      }
    });
    out(k, k) = inverse_D;
  }

  // Z = L^-T in the lower triangle, column j holding row j: rows of a subtree are sums over its columns
  for (int j = 0; j < n; ++j)
    for (int k = j + 1; k < n; ++k) out(k, j) = T(0.0);
  for (int i = n - 1; i >= 0; --i) {
    const int end = model.dof_subtree_end(i);
    detail::ancestor_runs(model, model.dof_parent(i), [&](int first, int last) {
      for (int j = last; j >= first; --j) {
        const T a = out(j, i);
        detail::subtract(a, out.column(i), out.column(j), i + 1, end);
        out(i, j) -= a;
      }
    });
  }

  // base to tips: X_i = Z_i / D_i - sum over ancestors of L_ij X_j, for the columns from i on
  for (int i = 0; i < n; ++i) {
    T* X_i = out.column(i);
    const T inverse_D = X_i[i];
    const int end = model.dof_subtree_end(i);
    for (int k = i + 1; k < end; ++k) X_i[k] = inverse_D * X_i[k];
    detail::ancestor_runs(model, model.dof_parent(i), [&](int first, int last) {
      for (int j = last; j >= first; --j) detail::subtract(X_i[j], out.column(j), X_i, i, n);
    });
  }
  detail::mirror(out);
}

// compiled once, in the library
extern template void inverse_mass_matrix<double>(const Model&, Workspace<double>&, In<double>, MatrixView<double>);

}  // namespace cardan
