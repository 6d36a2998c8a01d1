#include "cardan/algorithms/inertial_regressor.hpp"

#include "cardan/model/state.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <random>

namespace cardan {

template void inverse_dynamics_regressor<double>(const Model&, const Kinematics<double>&, MatrixView<double>);

namespace {

constexpr double kIndependent = 1e-9;  // of the largest pivot
constexpr int kSurplus = 3;            // times as many rows as columns

/// Y at random states, one below the other.
Eigen::MatrixXd stacked_regressors(const Model& model) {
  const int n = model.nv(), columns = kInertialParameters * model.bodies();
  const int states = 2 + kSurplus * columns / std::max(1, n);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  Workspace<double> w(model);
  Kinematics<double> k(model);
  Eigen::MatrixXd Y(n, columns), out(states * n, columns);
  std::vector<double> q = model.neutral(), x(static_cast<std::size_t>(n)), v(x), a(x);
  for (int i = 0; i < states; ++i) {
    for (std::vector<double>* part : {&x, &v, &a})
      for (double& e : *part) e = normal(random);
    integrate<double>(model, q.data(), x.data(), 1.0, q.data());
    forward_kinematics<double>(model, w, q, v, a, k);
    inverse_dynamics_regressor<double>(model, k, Y);
    out.middleRows(i * n, n) = Y;
  }
  return out;
}

}  // namespace

Eigen::VectorXd inertial_parameters(const Model& model) {
  Eigen::VectorXd out(kInertialParameters * model.bodies());
  for (int i = 1; i <= model.bodies(); ++i) {
    const RigidBodyInertia<double> I = model.frame(model.body_frame(i)).X * model.link(i).I;
    auto own = out.segment<kInertialParameters>(kInertialParameters * (i - 1));
    own[0] = I.m;
    for (int c = 0; c < 3; ++c) own[1 + c] = I.h[c];
    const double moments[] = {I.I(0, 0), I.I(1, 1), I.I(2, 2), I.I(0, 1), I.I(0, 2), I.I(1, 2)};
    for (int c = 0; c < 6; ++c) own[4 + c] = moments[c];
  }
  return out;
}

BaseParameters base_parameters(const Model& model) {
  const Eigen::MatrixXd Y = stacked_regressors(model);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Y.rows(), Y.cols());
  qr.setThreshold(kIndependent);
  qr.compute(Y);
  const Eigen::Index rank = qr.rank();
  const Eigen::VectorXi order = qr.colsPermutation().indices().cast<int>();
  BaseParameters out;
  out.columns.assign(order.data(), order.data() + rank);
  std::sort(out.columns.begin(), out.columns.end());
  // columns that depend on others: Y_2 = Y_1 B, so that their parameters act as B of them
  Eigen::MatrixXd independent(Y.rows(), rank);
  for (Eigen::Index k = 0; k < rank; ++k) independent.col(k) = Y.col(out.columns[static_cast<std::size_t>(k)]);
  out.combination = independent.colPivHouseholderQr().solve(Y);
  out.combination = (out.combination.array().abs() > kIndependent).select(out.combination, 0.0);
  return out;
}

}  // namespace cardan
