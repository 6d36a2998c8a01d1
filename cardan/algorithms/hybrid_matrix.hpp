// Hybrid dynamics with the mass matrix (section 9.1). With the joints whose force is given as set 1:
//   C' = ID(q, v, [0; qdd2]),  H11 qdd1 = tau1 - C1',  tau = C' + ID_delta([qdd1; 0]).
// H11 has the branch-induced sparsity of the tree in which the other joints are merged away (Fig. 9.1).
#pragma once

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/hybrid_dynamics.hpp"

namespace cardan {

/// Storage of the matrix form for one model and one choice of what is given.
template <class T>
class HybridMatrix {
 public:
  HybridMatrix(const Model& model, GivenAtJoints given)
      : given_(given.begin(), given.end()),
        carried_(given.size()),
        index_(static_cast<std::size_t>(model.nv()), -1),
        tree_(merged_parents(model, given)) {
    x1.resize(static_cast<std::size_t>(tree_.n()));
    H11_.resize(x1.size() * x1.size());
    for (auto* scratch : {&bias, &x, &Hx}) scratch->resize(index_.size());
  }

  bool yields(int body) const { return given_[static_cast<std::size_t>(body)] == Given::force; }
  /// nu(fd): whether a joint whose force is given is on the way to the world.
  bool is_carried(int body) const { return carried_[static_cast<std::size_t>(body)]; }
  /// The row of H11 that belongs to velocity v, or -1.
  int index(int v) const { return index_[static_cast<std::size_t>(v)]; }
  /// The velocity that belongs to a row.
  int velocity(int row) const { return velocity_[static_cast<std::size_t>(row)]; }
  const BranchSparsity& tree() const { return tree_; }
  MatrixView<T> H11() { return {H11_.data(), tree_.n(), tree_.n()}; }

  std::vector<T> x1;           // scratch, one for each row of H11
  std::vector<T> bias, x, Hx;  // one for each velocity

 private:
  /// Fig. 9.1, for velocities instead of joints: lambda' of row i is the next row on the way to the world.
  std::vector<int> merged_parents(const Model& model, GivenAtJoints given) {
    detail::check_given(model, "HybridMatrix", given);
    std::vector<int> parents;
    for (int b = 1; b <= model.bodies(); ++b) {
      const Link& link = model.link(b);
      carried_[static_cast<std::size_t>(b)] = yields(b) || (link.parent != 0 && is_carried(link.parent));
      if (!yields(b)) continue;
      for (int v = link.v; v < link.v + link.nv; ++v) {
        int up = model.dof_parent(v);
        while (up >= 0 && index(up) < 0) up = model.dof_parent(up);
        parents.push_back(up < 0 ? -1 : index(up));
        index_[static_cast<std::size_t>(v)] = static_cast<int>(velocity_.size());
        velocity_.push_back(v);
      }
    }
    return parents;
  }

  std::vector<Given> given_;
  std::vector<bool> carried_;
  std::vector<int> index_, velocity_;
  BranchSparsity tree_;
  std::vector<T> H11_;
};

namespace detail {

/// Table 9.1: of the composite-rigid-body algorithm what H11 needs, its lower triangle. Columns and inertias are in the
/// frame of the first moving body on the way from the world, so that an entry of H11 is a scalar product.
template <class T>
void restricted_mass_matrix(const Model& model, Workspace<T>& w, const In<T>& q, HybridMatrix<T>& m) {
  const auto inertia = [&](int b) -> RigidBodyInertia<T>& { return w.inertia[static_cast<std::size_t>(b)]; };
  const auto S = [&](int row) -> MotionVector<T>& { return w.motion[static_cast<std::size_t>(m.velocity(row))]; };
  compute_sincos(model, w, q);
  outward(model, w, Transform<T>::identity(), [&](const auto& at, Transform<T>& X_base) {
    const auto joint = at.evaluate(w, q, {});
    X_base = at.link.parent == 0 ? Transform<T>::identity() : at.transform(joint.X_J) * X_base;
    if (!m.is_carried(at.body)) return;
    inertia(at.body) = transpose_apply(X_base, at.template inertia<T>());
    const auto basis = columns<T>(joint.S);
    for (int i = 0; i < at.nv; ++i)
      w.motion[static_cast<std::size_t>(at.link.v + i)] = inverse_apply(X_base, T(at.link.sign) * basis.column[i]);
  });
  const MatrixView<T> H11 = m.H11();
  for (int b = model.bodies(); b >= 1; --b) {
    const Link& link = model.link(b);
    if (!m.is_carried(b)) continue;
    if (link.parent != 0 && m.is_carried(link.parent)) inertia(link.parent) += inertia(b);
    if (!m.yields(b)) continue;
    for (int v = link.v; v < link.v + link.nv; ++v) {
      const int i = m.index(v);
      const ForceVector<T> F = inertia(b) * S(i);
      for (int j = i; j >= 0; j = m.tree().parent(j)) H11(i, j) = dot(S(j), F);
      H11(i, i) += T(model.armature(v));
    }
  }
}

}  // namespace detail

/// Solves hybrid dynamics by the matrix that `m` was made for: fills in `a` where forces are given and `tau`
/// where accelerations are.
template <class T>
void hybrid_dynamics_by_matrix(const Model& model, Workspace<T>& w, HybridMatrix<T>& m, In<T> q, In<T> v, Out<T> a,
                               Out<T> tau, ExternalForces<T> f_ext = {}) {
  detail::check_size("hybrid_dynamics_by_matrix", "q", model.nq(), q.size());
  detail::check_size("hybrid_dynamics_by_matrix", "v", model.nv(), v.size());
  detail::check_size("hybrid_dynamics_by_matrix", "a", model.nv(), a.size());
  detail::check_size("hybrid_dynamics_by_matrix", "tau", model.nv(), tau.size());
  detail::check_external(model, "hybrid_dynamics_by_matrix", f_ext);
  const int n1 = m.tree().n();
  const auto size = [](int i) { return static_cast<std::size_t>(i); };

  // C': the forces if the yielding joints did not accelerate
  for (int i = 0; i < n1; ++i) a[m.velocity(i)] = T(0.0);
  inverse_dynamics(model, w, q, v, In<T>(a.data(), a.size()), Out<T>(m.bias), f_ext);
  // H11 qdd1 = tau1 - C1'
  detail::restricted_mass_matrix(model, w, q, m);
  for (int i = 0; i < n1; ++i) m.x1[size(i)] = tau[m.velocity(i)] - m.bias[size(m.velocity(i))];
  factorize_ltdl<T>(m.tree(), m.H11());
  solve_ltdl<T>(m.tree(), m.H11(), m.x1);
  // tau2 = C2' + H21 qdd1
  std::fill(m.x.begin(), m.x.end(), T(0.0));
  for (int i = 0; i < n1; ++i) a[m.velocity(i)] = m.x[size(m.velocity(i))] = m.x1[size(i)];
  mass_matrix_product(model, w, q, In<T>(m.x), Out<T>(m.Hx));
  for (int i = 0; i < model.nv(); ++i)
    if (m.index(i) < 0) tau[i] = m.bias[size(i)] + m.Hx[size(i)];
}

// compiled once, in the library
extern template void hybrid_dynamics_by_matrix<double>(const Model&, Workspace<double>&, HybridMatrix<double>&,
                                                       In<double>, In<double>, Out<double>, Out<double>,
                                                       ExternalForces<double>);

}  // namespace cardan
