// H(q): the composite-rigid-body algorithm (Table 6.2), column by column from the tips. The force columns of a whole
// subtree cross a joint together; the lower triangle is written, then mirrored.
#pragma once

#include "cardan/algorithms/mass_matrix_base_frame.hpp"

namespace cardan {

namespace detail {

/// Mean depth of the tree beyond which columns in the base frame are faster, measured on chains. AVX-512: even at 100
/// links, 1.15x faster at 200, 1.6x slower at 20. AVX2: even at 40 links, 1.3x faster at 100, 1.3x slower at 20.
inline constexpr double kBaseFrameDepth = kRegisterBytes == 64 ? 55.0 : 21.0;

/// Puts the joint's own columns into the lanes where they belong, instead of through memory: loading a register over
/// a number that was just written alone stalls the processor.
template <class T, int N>
CARDAN_INLINE void insert(ForceVector<typename Lanes<T>::type>& f, int first_lane, const ForceMatrix<T, N>& own) {
  for (int i = 0; i < N; ++i)
    for (int c = 0; c < 6; ++c) f[c] = Lanes<T>::with(f[c], first_lane + i, own.column[i][c]);
}

/// Copies the lower triangle to the upper, in blocks that stay in cache.
template <class T>
CARDAN_INLINE void mirror(const MatrixView<T>& H) {
  constexpr int block = 16;
  const int n = H.rows();
  for (int j0 = 0; j0 < n; j0 += block)
    for (int i0 = j0; i0 < n; i0 += block) {
      const int j1 = j0 + block < n ? j0 + block : n, i1 = i0 + block < n ? i0 + block : n;
      for (int j = j0; j < j1; ++j)
        for (int i = i0 > j ? i0 : j + 1; i < i1; ++i) H(j, i) = H(i, j);
    }
}

/// Mirrors the lower triangle of H where only subtrees are not zero.
template <class T>
CARDAN_INLINE void mirror_subtrees(const Model& model, const MatrixView<T>& H) {
  for (int b = 1; b <= model.bodies(); ++b) {
    const Link& link = model.link(b);
    const int end = model.subtree_dofs_end(b);
    for (int j = link.v; j < link.v + link.nv; ++j)
      for (int i = j + 1; i < end; ++i) H(j, i) = H(i, j);
  }
}

template <class T>
void mass_matrix_body_frame(const Model& model, Workspace<T>& w, const In<T>& q, const MatrixView<T>& H, bool fill) {
  using Columns = SpatialColumns<T>;
  using L = typename Columns::L;
  const Columns F = w.columns(model);
  inward<RigidBodyInertia<T>>(model, w, [&](const auto& at, RigidBodyInertia<T>& I) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    const int first = at.link.v, end = at.subtree_dofs_end();
    I += at.template inertia<T>();
    auto own = I * S;
    for (int i = 0; i < at.nv; ++i) own.column[i] = T(at.link.sign) * own.column[i];
    const auto X = at.transform(X_J);
    const auto X_lanes = broadcast<L>(X);
    for (int k = end - Columns::width; k > first - Columns::width; k -= Columns::width) {
      auto f = F.template load<ForceVector<L>>(k);
      if (k <= first + at.nv - 1) insert(f, first - k, own);
      for (int i = 0; i < at.nv; ++i)
        Lanes<T>::store_from(L(T(at.link.sign)) * row_of(S, f, i), first + i - k, H.column(first + i) + k);
      if (at.link.parent != 0) F.store(k, transpose_apply(X_lanes, f));
    }
    if (fill) fill_below(H, first, first + at.nv, end);
    if (at.link.parent != 0) I = transpose_apply(X, I);
  });
}

}  // namespace detail

/// Which frame the columns are in; `automatic` takes the one that is faster for the model.
enum class MassMatrixForm { automatic, body_frame, base_frame };

/// Which entries are written: all of the symmetric matrix, or only those on and below the diagonal that are not zero
/// whatever q is (enough for Cholesky factorizations; the others keep what they had).
enum class MassMatrixPart { whole, lower };

template <class T>
void mass_matrix(const Model& model, Workspace<T>& w, In<T> q, OutMatrix<T> H,
                 MassMatrixForm form = MassMatrixForm::automatic, MassMatrixPart part = MassMatrixPart::whole) {
  detail::check_size("mass_matrix", "q", model.nq(), q.size());
  detail::check_size("mass_matrix", "H", model.nv(), model.nv(), H.rows(), H.cols());
  const int n = model.nv();
  compute_sincos(model, w, q);
  const bool deep = model.mean_depth() > detail::kBaseFrameDepth;
  const bool whole = part == MassMatrixPart::whole;
  const bool sparse = model.density() < 0.6;  // then zeros are written all at once
  if (whole && sparse) detail::set_zero(H);
  if (form == MassMatrixForm::base_frame || (form == MassMatrixForm::automatic && deep))
    detail::mass_matrix_base_frame(model, w, q, H, whole && !sparse);
  else
    detail::mass_matrix_body_frame(model, w, q, H, whole && !sparse);
  for (int i = 0; i < n; ++i) H(i, i) += T(model.armature(i));
  if (!whole) return;
  if (sparse)
    detail::mirror_subtrees(model, H);
  else
    detail::mirror(H);
}

// compiled once, in the library
extern template void mass_matrix<double>(const Model&, Workspace<double>&, In<double>, MatrixView<double>,
                                         MassMatrixForm, MassMatrixPart);

}  // namespace cardan
