// C(q, v) with C v = ID(q, v, 0) - ID(q, 0, 0) and dH/dt - 2 C skew: the sum of J' (I dJ/dt + B J) over all bodies,
// where B is the body's Coriolis matrix (Echeandia and Wensing 2021). With phi_dot = chi - psi1 of displacements.hpp
// and sums of I and B over subtrees,
//   C_ij = phi_i' (I_i phi_dot_j + B_i phi_j) where j carries i or is of its joint, and with I_j, B_j where i carries
//   j.
#pragma once

#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

namespace cardan {

/// Needs no acceleration and no gravity; rotors add nothing.
template <class T>
void coriolis_matrix(const Model& model, DerivativeWorkspace<T>& w, In<T> q, In<T> v, OutMatrix<T> C) {
  const char* const name = "coriolis_matrix";
  detail::check_size(name, "q", model.nq(), q.size());
  detail::check_size(name, "v", model.nv(), v.size());
  detail::check_square(model, name, "C", C);
  detail::displace_tree<T>(model, w, q, v, v, {});  // whatever the accelerations are
  detail::set_zero(C);
  for (int j = 0; j < model.nv(); ++j) {
    const int body = model.body_of_dof(j), first = model.link(body).v;
    const T* const at = w.displacement(j);
    MotionVector<T> phi, phi_dot;
    for (int c = 0; c < 6; ++c) {
      phi[c] = at[c];
      phi_dot[c] = at[18 + c] - at[6 + c];
    }
    const auto own = detail::SubtreeSums<T>::read(w.sums(body));
    const ForceVector<T> f = own.I * phi_dot + T(0.5) * (own.B * phi);
    for (int i = first; i < model.subtree_dofs_end(body); ++i) {
      const auto below = detail::SubtreeSums<T>::read(w.sums(model.body_of_dof(i)));
      MotionVector<T> other;
      for (int c = 0; c < 6; ++c) other[c] = w.displacement(i)[c];
      C(i, j) = dot(other, below.I * phi_dot + T(0.5) * (below.B * phi));
    }
    for (int i = model.dof_parent(first); i >= 0; i = model.dof_parent(i)) {
      T sum = w.displacement(i)[0] * f[0];
      for (int c = 1; c < 6; ++c) sum = sum + w.displacement(i)[c] * f[c];
      C(i, j) = sum;
    }
  }
}

// compiled once, in the library
extern template void coriolis_matrix<double>(const Model&, DerivativeWorkspace<double>&, In<double>, In<double>,
                                             MatrixView<double>);

}  // namespace cardan
