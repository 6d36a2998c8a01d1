// The equation of motion of a floating base by blocks, [I0 F; F' H] [a0; qdd] + [p0; C] = [0; tau] (Eq. 9.13), all in
// the base's coordinates, and what follows from it: the joints' own equation H^fl qdd + C^fl = tau (Eq. 9.15, 9.16),
// momentum I0 v0 + F qd (Example 9.3) and the floating-base Jacobian (Example 9.4).
#pragma once

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/floating_base.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

namespace cardan {

/// H^fl and C^fl of one model, with the storage that they need.
template <class T>
class FloatingBaseMatrix {
 public:
  explicit FloatingBaseMatrix(const Model& model)
      : joints_((detail::check_floating(model, "FloatingBaseMatrix"), model.nv() - kBaseVelocities)),
        chain_(chain(joints_)),
        M_(size(model.nv()) * size(model.nv())),
        H_(size(joints_) * size(joints_)) {
    C.resize(size(model.nv()));
    C_fl.resize(size(joints_));
    x.resize(size(joints_));
  }

  /// The joints' velocities.
  int joints() const { return joints_; }
  /// [I0 F; F' H].
  MatrixView<T> M() { return {M_.data(), joints_ + kBaseVelocities, joints_ + kBaseVelocities}; }
  /// H - F' I0^-1 F: every joint feels every other through the base, so no zeros are left.
  MatrixView<T> H_fl() { return {H_.data(), joints_, joints_}; }
  const BranchSparsity& dense() const { return chain_; }

  std::vector<T> C;     // [p0; C]
  std::vector<T> C_fl;  // C - F' I0^-1 p0
  std::vector<T> x;     // scratch, one for each velocity of the joints

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  static std::vector<int> chain(int n) {
    std::vector<int> parents;
    for (int i = 0; i < n; ++i) parents.push_back(i - 1);
    return parents;
  }

  int joints_;
  BranchSparsity chain_;
  std::vector<T> M_, H_;
};

namespace detail {

/// The first six rows of a column.
template <class T>
CARDAN_INLINE Vector<T, 6> six_rows(const T* column) {
  Vector<T, 6> out;
  for (int i = 0; i < 6; ++i) out[i] = column[i];
  return out;
}
/// I0 = L D L' from the first six columns of [I0 F].
template <class T, class Entry>
CARDAN_INLINE LDLT<T, 6> base_factors(const MatrixView<Entry>& M) {
  Matrix<T, 6, 6> I0;
  for (int j = 0; j < 6; ++j) I0.row[j] = six_rows<T>(M.column(j));
  return LDLT<T, 6>(I0);
}

}  // namespace detail

/// [p0; C] and [I0 F; F' H] by the algorithms of Table 9.5, and H^fl and C^fl from them.
template <class T>
void floating_base_equation(const Model& model, Workspace<T>& w, FloatingBaseMatrix<T>& m, In<T> q, In<T> v,
                            ExternalForces<T> f_ext = {}) {
  bias(model, w, q, v, Out<T>(m.C), f_ext);
  mass_matrix(model, w, q, m.M());
  const MatrixView<T> M = m.M(), H_fl = m.H_fl();
  const LDLT<T, 6> base = detail::base_factors<T>(M);
  const Vector<T, 6> a0 = base.solve(detail::six_rows<T>(m.C.data()));
  for (int j = 0; j < m.joints(); ++j) {
    const Vector<T, 6> F = detail::six_rows<T>(M.column(6 + j)), y = base.solve(F);
    for (int i = 0; i < m.joints(); ++i) H_fl(i, j) = M(6 + i, 6 + j) - dot(detail::six_rows<T>(M.column(6 + i)), y);
    m.C_fl[static_cast<std::size_t>(j)] = m.C[static_cast<std::size_t>(6 + j)] - dot(F, a0);
  }
}

/// Forward dynamics in this form: H^fl qdd = tau - C^fl, a0 = -I0^-1 (p0 + F qdd). The base's entries of tau are not
/// read.
template <class T>
void floating_base_forward_dynamics_by_matrix(const Model& model, Workspace<T>& w, FloatingBaseMatrix<T>& m, In<T> q,
                                              In<T> v, In<T> tau, Out<T> a, ExternalForces<T> f_ext = {}) {
  constexpr const char* name = "floating_base_forward_dynamics_by_matrix";
  detail::check_size(name, "q", model.nq(), q.size());
  detail::check_size(name, "v", model.nv(), v.size());
  detail::check_size(name, "tau", model.nv(), tau.size());
  detail::check_size(name, "a", model.nv(), a.size());
  detail::check_external(model, name, f_ext);
  floating_base_equation(model, w, m, q, v, f_ext);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < m.joints(); ++i) m.x[at(i)] = tau[6 + i] - m.C_fl[at(i)];
  factorize_ltdl<T>(m.dense(), m.H_fl());
  solve_ltdl<T>(m.dense(), m.H_fl(), m.x);
  Vector<T, 6> p = detail::six_rows<T>(m.C.data());
  for (int j = 0; j < m.joints(); ++j) p += m.x[at(j)] * detail::six_rows<T>(m.M().column(6 + j));
  const Vector<T, 6> a0 = detail::base_factors<T>(m.M()).solve(-p);
  for (int i = 0; i < 6; ++i) a[i] = a0[i];
  for (int i = 0; i < m.joints(); ++i) a[6 + i] = m.x[at(i)];
}

/// [I0 F], 6 x nv, in O(n): times v it is the momentum in the base's coordinates. Needs poses.
template <class T>
void floating_base_momentum_matrix(const Model& model, Workspace<T>& w, const Kinematics<T>& k, OutMatrix<T> A) {
  constexpr const char* name = "floating_base_momentum_matrix";
  detail::check_floating(model, name);
  detail::check_size(name, "A", 6, model.nv(), A.rows(), A.cols());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  w.pose[1] = Transform<T>::identity();  // from the base
  for (int i = 2; i <= model.bodies(); ++i) w.pose[at(i)] = k.X[at(i)] * w.pose[at(model.link(i).parent)];
  for (int i = 1; i <= model.bodies(); ++i) w.inertia[at(i)] = RigidBodyInertia<T>(model.link(i).I);
  for (int i = model.bodies(); i >= 1; --i) {
    const Link& link = model.link(i);
    for (int c = link.v; c < link.v + link.nv; ++c) {
      const ForceVector<T> F = transpose_apply(w.pose[at(i)], w.inertia[at(i)] * k.S[at(c)]);  // 0Xi* I^c S
      for (int row = 0; row < 6; ++row) A(row, c) = F[row];
    }
    if (link.parent != 0) w.inertia[at(link.parent)] += transpose_apply(k.X[at(i)], w.inertia[at(i)]);
  }
}

/// 6 x (nv - 6), in the frame's own axes: what the joints' velocities do to the frame's when no outside force acts, the
/// base giving way, J - X I0^-1 F. A is the momentum matrix above. Needs poses.
template <class T>
void floating_base_jacobian(const Model& model, const Kinematics<T>& k, MatrixView<const std::type_identity_t<T>> A,
                            int frame, OutMatrix<T> J) {
  constexpr const char* name = "floating_base_jacobian";
  detail::check_floating(model, name);
  detail::check_size(name, "A", 6, model.nv(), A.rows(), A.cols());
  detail::check_size(name, "J", 6, model.nv() - kBaseVelocities, J.rows(), J.cols());
  Transform<T> X_base = Transform<T>::identity();  // from the base to the frame; unknown for a frame of the world
  detail::set_zero(J);
  detail::along_path(model, k, frame, [&](int i, const Transform<T>& X) {
    const Link& link = model.link(i);
    X_base = X;
    if (link.parent == 0) return;
    for (int c = link.v; c < link.v + link.nv; ++c) detail::set_column(J, c - 6, X * k.S[static_cast<std::size_t>(c)]);
  });
  if (model.frame(frame).body == 0) return;
  const LDLT<T, 6> base = detail::base_factors<T>(A);
  for (int c = 0; c < J.cols(); ++c) {
    const MotionVector<T> given_way = X_base * (AllMotions{} * base.solve(detail::six_rows<T>(A.column(6 + c))));
    for (int i = 0; i < 6; ++i) J(i, c) -= given_way[i];
  }
}

// compiled once, in the library
extern template void floating_base_equation<double>(const Model&, Workspace<double>&, FloatingBaseMatrix<double>&,
                                                    In<double>, In<double>, ExternalForces<double>);
extern template void floating_base_forward_dynamics_by_matrix<double>(const Model&, Workspace<double>&,
                                                                      FloatingBaseMatrix<double>&, In<double>,
                                                                      In<double>, In<double>, Out<double>,
                                                                      ExternalForces<double>);
extern template void floating_base_momentum_matrix<double>(const Model&, Workspace<double>&, const Kinematics<double>&,
                                                           MatrixView<double>);
extern template void floating_base_jacobian<double>(const Model&, const Kinematics<double>&, MatrixView<const double>,
                                                    int, MatrixView<double>);

}  // namespace cardan
