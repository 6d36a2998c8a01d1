#include "tests/support/dense_aba.hpp"

namespace cardan::test {

DenseArticulated dense_aba(const Model& model, const Kinematics<double>& k, const Eigen::VectorXd& tau,
                           const std::vector<ForceVector<double>>& f_ext) {
  const auto n = static_cast<std::size_t>(model.bodies()) + 1;
  DenseArticulated out{std::vector<Matrix6>(n, Matrix6::Zero()), std::vector<Matrix6>(n, Matrix6::Zero()),
                       std::vector<Vector6>(n, Vector6::Zero()), std::vector<Vector6>(n, Vector6::Zero()),
                       std::vector<Vector6>(n, Vector6::Zero()), Eigen::VectorXd::Zero(model.nv())};
  std::vector<Matrix6> X(n, Matrix6::Identity());
  std::vector<Vector6> c(n);
  const auto columns_of = [&](std::size_t i) {
    const Link& link = model.link(static_cast<int>(i));
    Eigen::MatrixXd S(6, link.nv);
    for (int j = 0; j < link.nv; ++j) S.col(j) = dense(k.S[static_cast<std::size_t>(link.v + j)]);
    return S;
  };
  std::vector<Eigen::MatrixXd> U(n), D(n);
  std::vector<Eigen::VectorXd> u(n);

  for (std::size_t i = 1; i < n; ++i) {
    const auto parent = static_cast<std::size_t>(model.link(static_cast<int>(i)).parent);
    X[i] = motion_transform(k.X[i]);
    const Vector6 v = dense(k.v[i]);
    c[i] = dense(k.a[i]) - X[i] * (parent == 0 ? Vector6::Zero() : dense(k.a[parent]));  // c_J + v x v_J
    out.I_A[i] = dense(model.link(static_cast<int>(i)).I);
    out.p_A[i] = crf(v) * out.I_A[i] * v;
    if (!f_ext.empty()) out.p_A[i] -= force_transform(k.X_0[i]) * dense(f_ext[i]);
  }
  for (std::size_t i = n - 1; i >= 1; --i) {
    const Link& link = model.link(static_cast<int>(i));
    const auto parent = static_cast<std::size_t>(link.parent);
    const Eigen::MatrixXd S = columns_of(i);
    U[i] = out.I_A[i] * S;
    D[i] = S.transpose() * U[i];
    for (int j = 0; j < link.nv; ++j) D[i](j, j) += model.armature(link.v + j);
    D[i] = D[i].inverse().eval();
    u[i] = tau.segment(link.v, link.nv) - S.transpose() * out.p_A[i];
    out.I_a[i] = out.I_A[i] - U[i] * D[i] * U[i].transpose();
    out.p_a[i] = out.p_A[i] + out.I_a[i] * c[i] + U[i] * (D[i] * u[i]);
    if (parent == 0) continue;
    out.I_A[parent] += X[i].transpose() * out.I_a[i] * X[i];
    out.p_A[parent] += X[i].transpose() * out.p_a[i];
  }
  out.a[0].tail<3>() = -dense(model.gravity());
  for (std::size_t i = 1; i < n; ++i) {
    const Link& link = model.link(static_cast<int>(i));
    const Vector6 carried = X[i] * out.a[static_cast<std::size_t>(link.parent)] + c[i];
    const Eigen::VectorXd own = D[i] * (u[i] - U[i].transpose() * carried);
    out.qdd.segment(link.v, link.nv) = own;
    out.a[i] = carried + columns_of(i) * own;
  }
  return out;
}

}  // namespace cardan::test
