#include "cardan/constraints/mobility.hpp"

#include "cardan/constraints/assembly.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Of pivots, relative to the largest. Positions obey to about 1e-12, so K of a repeated row is that exact.
constexpr double kRankOfK = 1e-8;
constexpr int kNeighbors = 4;

int rank_of(const Eigen::MatrixXd& K) {
  if (K.rows() == 0 || K.cols() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(K.rows(), K.cols());
  factor.setThreshold(kRankOfK);
  factor.compute(K);
  return static_cast<int>(factor.rank());
}

}  // namespace

Mobility analyze_mobility(const Model& model, ConstraintSet& set, double t, std::span<const double> at) {
  Mobility out;
  out.velocities = model.nv();
  out.rows = set.rows();
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  Eigen::MatrixXd K(set.rows(), model.nv());
  set.evaluate(t, at.data(), rest.data());
  set.matrix(K);
  out.rank_here = out.rank = rank_of(K);

  // small motions along the free directions, there where the mechanism can go
  State nearby(model);
  for (int n = 0; n < kNeighbors && out.rank < std::min(out.rows, out.velocities); ++n) {
    Eigen::VectorXd direction(model.nv());
    for (int i = 0; i < model.nv(); ++i) direction[i] = 0.05 * std::sin(1.7 * (i + 1) * (n + 1));
    integrate(model, at.data(), direction.data(), 1.0, nearby.q.data());
    const Assembly closed = assemble(model, set, t, nearby);
    if (!closed.closed) continue;
    set.evaluate(t, closed.state.q.data(), rest.data());
    Eigen::MatrixXd there(set.rows(), model.nv());
    set.matrix(there);
    if (const int rank = rank_of(there); rank > out.rank) {
      out.rank = rank;
      K = there;
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
