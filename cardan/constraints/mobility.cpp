#include "cardan/constraints/mobility.hpp"

#include "cardan/constraints/assembly.hpp"
#include "cardan/constraints/internal/constraint_cluster.hpp"
#include "cardan/math/orthogonal.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cardan {

namespace {

constexpr int kNeighbors = 4;

int rank_of(const Eigen::MatrixXd& J) {
  if (J.rows() == 0 || J.cols() == 0) return 0;
  Orthogonal factor;
  factor.set_threshold(kRankTolerance);
  factor.compute(J);
  return static_cast<int>(factor.rank());
}

using Clusters = std::vector<ConstraintCluster>;

/// The rank of each cluster's J at a configuration.
std::vector<int> ranks_at(const Model& model, ConstraintSet& set, double t, const double* q, Clusters& clusters) {
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  set.evaluate(t, q, rest.data());
  std::vector<int> out;
  for (ConstraintCluster& cluster : clusters) {
    cluster.fill(set);
    out.push_back(rank_of(cluster.J));
  }
  return out;
}

/// Counts, for each member of a cluster, its rows that repeat those before: rows are made orthogonal one by one, twice
/// over against rounding.
void count_redundant(const ConstraintSet& set, const ConstraintCluster& cluster, std::vector<int>& redundant) {
  Eigen::MatrixXd basis(cluster.J.cols(), std::min<Eigen::Index>(cluster.J.rows(), cluster.J.cols()));
  Eigen::Index known = 0;
  double largest = 0.0;
  int row = 0;
  for (const int i : cluster.members)
    for (int end = row + set.rows_of(i).size(); row < end; ++row) {
      Eigen::VectorXd rest = cluster.J.row(row).transpose();
      for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXd along = basis.leftCols(known).transpose() * rest;
        rest -= basis.leftCols(known) * along;
      }
      largest = std::max(largest, rest.norm());
      if (known == basis.cols() || !(rest.norm() > kRankTolerance * largest))
        ++redundant[static_cast<std::size_t>(i)];
      else
        basis.col(known++) = rest.normalized();
    }
}

}  // namespace

Mobility analyze_mobility(const Model& model, ConstraintSet& set, double t, std::span<const double> at) {
  Mobility out;
  out.velocities = model.nv();
  out.rows = set.rows();
  Clusters clusters = constraint_clusters(set);
  std::vector<int> ranks = ranks_at(model, set, t, at.data(), clusters);
  const auto sum = [](const std::vector<int>& of) { return std::accumulate(of.begin(), of.end(), 0); };
  out.rank_here = sum(ranks);
  std::vector<Eigen::MatrixXd> best;
  for (const ConstraintCluster& cluster : clusters) best.push_back(cluster.J);
  const auto may_rise = [&] {
    for (std::size_t c = 0; c < clusters.size(); ++c)
      if (ranks[c] < std::min<int>(clusters[c].rows, static_cast<int>(clusters[c].velocities.size()))) return true;
    return false;
  };

  // small motions along the free directions, there where the mechanism can go
  State nearby(model);
  for (int n = 0; n < kNeighbors && may_rise(); ++n) {
    Eigen::VectorXd direction(model.nv());
    for (int i = 0; i < model.nv(); ++i) direction[i] = 0.05 * std::sin(1.7 * (i + 1) * (n + 1));
    integrate(model, at.data(), direction.data(), 1.0, nearby.q.data());
    const Assembly closed = assemble(model, set, t, nearby);
    if (!closed.closed) continue;
    const std::vector<int> there = ranks_at(model, set, t, closed.state.q.data(), clusters);
    for (std::size_t c = 0; c < clusters.size(); ++c)
      if (there[c] > ranks[c]) {
        ranks[c] = there[c];
        best[c] = clusters[c].J;
      }
  }
  out.rank = sum(ranks);

  for (int i = 0; i < set.size(); ++i) out.redundant.push_back(0);
  std::vector<bool> in_cluster(static_cast<std::size_t>(set.size()));
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    clusters[c].J = best[c];
    count_redundant(set, clusters[c], out.redundant);
    for (const int i : clusters[c].members) in_cluster[static_cast<std::size_t>(i)] = true;
  }
  for (int i = 0; i < set.size(); ++i)  // through fixed joints alone
    if (!in_cluster[static_cast<std::size_t>(i)]) out.redundant[static_cast<std::size_t>(i)] = set.rows_of(i).size();
  return out;
}

}  // namespace cardan
