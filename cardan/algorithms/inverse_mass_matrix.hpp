// H^-1 as a full matrix in O(n^2): one articulated-body pass, then unit forces on all joints, several columns in the
// lanes of one register (Sueda, Algorithm 10, on many right-hand sides).
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

namespace cardan {

namespace detail {

/// Columns first, first + 1, ... of H^-1, from the row of the first on; the articulated pass must have been made.
template <class T>
CARDAN_INLINE void inverse_columns(const Model& model, Workspace<T>& w, int first, const MatrixView<T>& out) {
  using L = typename Lanes<T>::type;
  const int n = model.nv(), end = first + Lanes<T>::width < n ? first + Lanes<T>::width : n;
  const int last_body = model.body_of_dof(end - 1);
  const auto p = [&](int body) -> ForceVector<L>& { return w.lane_force[static_cast<std::size_t>(body)]; };
  const auto y = [&](int v) -> L& { return w.lane_y[static_cast<std::size_t>(v)]; };

  // tips to base: u = e - S' p, and p + U D^-1 u goes to the parent; bodies that carry none of the columns stay out
  for (int i = 1; i <= last_body; ++i) p(i) = {};
  for (int i = last_body; i >= 1; --i) {
    const Link& link = model.link(i);
    const bool carries = model.subtree_dofs_end(i) > first;
    dispatch(link.kernel, [&]<class Kernel>(Kernel) CARDAN_INLINE_LAMBDA {
      const At<Kernel> at{model, link, i};
      if (!carries) {
        for (int c = 0; c < at.nv; ++c) y(link.v + c) = L(T(0.0));
        return;
      }
      const auto& scratch = at.scratch(w);
      ForceVector<L> f = p(i);
      L u[Kernel::nv > 0 ? Kernel::nv : 1];
      for (int c = 0; c < at.nv; ++c)
        u[c] = Lanes<T>::with(L(T(0.0)), link.v + c - first, T(link.sign)) - row_of(scratch.S, f, c);
      for (int c = 0; c < at.nv; ++c) {
        L sum = L(scratch.D_inv(c, 0)) * u[0];
        for (int k = 1; k < at.nv; ++k) sum += L(scratch.D_inv(c, k)) * u[k];
        y(link.v + c) = sum;
      }
      if (link.parent == 0) return;
      const auto [X, rotation] = split(broadcast<L>(at.transform(scratch.X_J)));
      f = rotate_back(rotation, f);
      for (int c = 0; c < at.nv; ++c)
        for (int row = 0; row < 6; ++row) f[row] += L(scratch.gain.column[c][row]) * u[c];
      p(link.parent) += transpose_apply(X, f);
    });
  }

  // base to tips: accelerations; row v of these columns is, by symmetry, part of column v
  outward(
      model, w, MotionVector<L>{},
      [&](const auto& at, MotionVector<L>& a) CARDAN_INLINE_LAMBDA {
        const auto& scratch = at.scratch(w);
        const auto [X, rotation] = split(broadcast<L>(at.transform(scratch.X_J)));
        a = X * a;
        const auto basis = columns<T>(scratch.S);
        MotionVector<L> own;
        for (int c = 0; c < at.nv; ++c) {
          L qdd = y(at.link.v + c);
          for (int row = 0; row < 6; ++row) qdd -= L(scratch.gain.column[c][row]) * a[row];
          for (int row = 0; row < 6; ++row) own[row] += L(basis.column[c][row]) * qdd;
          Lanes<T>::store_until(L(T(at.link.sign)) * qdd, end - first, out.column(at.link.v + c) + first);
        }
        a = rotate(rotation, a);
        a += own;
      },
      last_body);
}

}  // namespace detail

/// The whole symmetric matrix.
template <class T>
void inverse_mass_matrix(const Model& model, Workspace<T>& w, In<T> q, OutMatrix<T> out) {
  detail::check_size("inverse_mass_matrix", "q", model.nq(), q.size());
  detail::check_size("inverse_mass_matrix", "out", model.nv(), model.nv(), out.rows(), out.cols());
  detail::evaluate_joints(model, w, q);
  detail::articulated_inertias_inward(model, w);
  for (int first = 0; first < model.nv(); first += Lanes<T>::width) detail::inverse_columns(model, w, first, out);
  detail::mirror(out);
}

// compiled once, in the library
extern template void inverse_mass_matrix<double>(const Model&, Workspace<double>&, In<double>, MatrixView<double>);

}  // namespace cardan
