// The composite-rigid-body algorithm with all columns in one frame, that of the first moving body on the way from the
// world (not the world's own, where a far-off mechanism would lose digits). More work for each body, but an entry of
// H is then a mere scalar product; it pays where many bodies carry each other.
#pragma once

#include "cardan/algorithms/force_columns.hpp"

namespace cardan::detail {

template <class T>
void mass_matrix_base_frame(const Model& model, Workspace<T>& w, const In<T>& q, const MatrixView<T>& H, bool fill) {
  using Columns = SpatialColumns<T>;
  using L = typename Columns::L;
  const Columns F = w.columns(model);

  // base to tips: where each body is; its joint's columns and its inertia in base coordinates
  outward(model, w, Transform<T>::identity(), [&](const auto& at, Transform<T>& X_base) CARDAN_INLINE_LAMBDA {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    X_base = at.link.parent == 0 ? Transform<T>::identity() : at.transform(X_J) * X_base;
    const auto basis = columns<T>(S);
    for (int i = 0; i < at.nv; ++i)
      w.motion[static_cast<std::size_t>(at.link.v + i)] = inverse_apply(X_base, T(at.link.sign) * basis.column[i]);
    w.inertia[at.index()] = transpose_apply(X_base, at.template inertia<T>());
  });

  // tips to base: composite inertias just add up; H = S' F
  inward<RigidBodyInertia<T>>(model, w, [&](const auto& at, RigidBodyInertia<T>& I) CARDAN_INLINE_LAMBDA {
    const int first = at.link.v, end = at.subtree_dofs_end();
    I += w.inertia[at.index()];
    for (int i = 0; i < at.nv; ++i) F.set(first + i, I * w.motion[static_cast<std::size_t>(first + i)]);
    for (int i = 0; i < at.nv; ++i) {
      const MotionVector<T>& s = w.motion[static_cast<std::size_t>(first + i)];
      T* column = H.column(first + i);
      for (int k = end - Columns::width; k > first + i - Columns::width; k -= Columns::width) {
        L sum = L(s[0]) * Lanes<T>::load(F.row(0) + k);
        for (int c = 1; c < 6; ++c) sum = sum + L(s[c]) * Lanes<T>::load(F.row(c) + k);
        Lanes<T>::store_from(sum, first + i - k, column + k);
      }
      if (fill) fill_below(H, first + i, first + i + 1, end);
    }
  });
}

}  // namespace cardan::detail
