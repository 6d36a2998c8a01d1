#include "cardan/constraints/mobility.hpp"

#include "cardan/model/state.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Of singular values, relative to the largest. Positions obey to about 1e-12, so K of a repeated row is that exact.
constexpr double kRankOfK = 1e-8;
constexpr int kNeighbours = 4;

int rank_of(const Eigen::MatrixXd& K) {
  if (K.rows() == 0 || K.cols() == 0) return 0;
  const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(K).singularValues();
  return static_cast<int>((values.array() > kRankOfK * std::max(values[0], 1e-300)).count());
}

/// Gauss-Newton steps of least length back to where constraints hold.
bool close(const Model& model, ConstraintSet& set, double t, std::vector<double>& q, const std::vector<double>& rest) {
  Eigen::MatrixXd K(set.rows(), model.nv());
  for (int i = 0; i < 20; ++i) {
    set.evaluate(t, q.data(), rest.data());
    if (set.gap().norm() < 1e-13) return true;
    set.matrix(K);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
    factor.setThreshold(1e-6);
    factor.compute(K);
    const Eigen::VectorXd step = factor.solve(-set.gap());
    integrate(model, q.data(), step.data(), 1.0, q.data());
  }
  set.evaluate(t, q.data(), rest.data());
  return set.gap().norm() < 1e-11;
}

}  // namespace

Mobility analyse_mobility(const Model& model, ConstraintSet& set, double t, std::span<const double> at) {
  Mobility out;
  out.velocities = model.nv();
  out.rows = set.rows();
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  Eigen::MatrixXd K(set.rows(), model.nv());
  set.evaluate(t, at.data(), rest.data());
  set.matrix(K);
  out.rank_here = out.rank = rank_of(K);

  // small motions along the free directions, there where the mechanism can go
  std::vector<double> q;
  for (int n = 0; n < kNeighbours && out.rank < std::min(out.rows, out.velocities); ++n) {
    Eigen::VectorXd direction(model.nv());
    for (int i = 0; i < model.nv(); ++i) direction[i] = 0.05 * std::sin(1.7 * (i + 1) * (n + 1));
    q.assign(at.begin(), at.end());
    integrate(model, q.data(), direction.data(), 1.0, q.data());
    if (!close(model, set, t, q, rest)) continue;
    Eigen::MatrixXd nearby(set.rows(), model.nv());
    set.matrix(nearby);
    if (const int rank = rank_of(nearby); rank > out.rank) {
      out.rank = rank;
      K = nearby;
    }
  }

  int before = 0;
  for (int i = 0; i < set.size(); ++i) {
    const int end = set.first_row(i) + set.rows_of(i).size(), rank = rank_of(K.topRows(end));
    out.redundant.push_back(set.rows_of(i).size() - (rank - before));
    before = rank;
  }
  return out;
}

}  // namespace cardan
