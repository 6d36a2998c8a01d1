#include "cardan/constraints/mobility.hpp"

#include "cardan/constraints/assembly.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Rank tolerance of pivots, relative to the largest. Positions hold to about 1e-12, so J of a repeated row is that
/// exact.
constexpr double kRankOfJ = 1e-8;
constexpr int kNeighbors = 4;

int rank_of(const Eigen::MatrixXd& J) {
  if (J.rows() == 0 || J.cols() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(J.rows(), J.cols());
  factor.setThreshold(kRankOfJ);
  factor.compute(J);
  return static_cast<int>(factor.rank());
}

}  // namespace

Mobility analyze_mobility(const Model& model, ConstraintSet& set, double t, std::span<const double> at) {
  Mobility out;
  out.velocities = model.nv();
  out.rows = set.rows();
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  Eigen::MatrixXd J(set.rows(), model.nv());
  set.evaluate(t, at.data(), rest.data());
  set.matrix(J);
  out.rank_here = out.rank = rank_of(J);

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
      J = there;
    }
  }

  int before = 0;
  for (int i = 0; i < set.size(); ++i) {
    const int end = set.first_row(i) + set.rows_of(i).size(), rank = rank_of(J.topRows(end));
    out.redundant.push_back(set.rows_of(i).size() - (rank - before));
    before = rank;
  }
  return out;
}

}  // namespace cardan
