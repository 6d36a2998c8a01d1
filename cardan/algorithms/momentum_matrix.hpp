// A(q) with momentum = A v (6 x nv, angular first): about the world's origin or about the center of mass (Orin and
// Goswami's centroidal momentum matrix), by composite inertias in O(n).
#pragma once

#include "cardan/algorithms/energy.hpp"

namespace cardan {

/// About the point `about`, in world axes. Needs poses.
template <class T>
void momentum_matrix(const Model& model, Workspace<T>& w, In<T> q, const Kinematics<T>& k, const Vec3<T>& about,
                     OutMatrix<T> A) {
  detail::check_size("momentum_matrix", "q", model.nq(), q.size());
  detail::check_size("momentum_matrix", "A", 6, model.nv(), A.rows(), A.cols());
  compute_sincos(model, w, q);
  const Transform<T> shift{Mat3<T>::identity(), about};
  inward<RigidBodyInertia<T>>(model, w, [&](const auto& at, RigidBodyInertia<T>& I) {
    const auto [X_J, S, c_J] = at.evaluate(w, q, {});
    I += at.template inertia<T>();
    const auto F = I * S;
    for (int c = 0; c < at.nv; ++c) {
      const ForceVector<T> column = shift * transpose_apply(k.X_0[at.index()], T(at.link.sign) * F.column[c]);
      for (int row = 0; row < 6; ++row) A(row, at.link.v + c) = column[row];
    }
    I = transpose_apply(at.transform(X_J), I);
  });
}

/// About the center of mass.
template <class T>
void centroidal_momentum_matrix(const Model& model, Workspace<T>& w, In<T> q, const Kinematics<T>& k, OutMatrix<T> A) {
  momentum_matrix(model, w, q, k, center_of_mass(model, k), A);
}

// compiled once, in the library
extern template void momentum_matrix<double>(const Model&, Workspace<double>&, In<double>, const Kinematics<double>&,
                                             const Vec3<double>&, MatrixView<double>);

}  // namespace cardan
