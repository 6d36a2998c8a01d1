#include "cardan/constraints/internal/constraint_cluster.hpp"

#include <algorithm>

namespace cardan {

std::vector<ConstraintCluster> constraint_clusters(const ConstraintSet& set) {
  std::vector<ConstraintCluster> out;
  for (const std::vector<int>& members : set.clusters()) {
    ConstraintCluster cluster;
    cluster.members = members;
    for (const int i : members) {
      cluster.rows += set.rows_of(i).size();
      const std::vector<int> own = set.velocities(i);
      cluster.velocities.insert(cluster.velocities.end(), own.begin(), own.end());
    }
    std::vector<int>& velocities = cluster.velocities;
    std::sort(velocities.begin(), velocities.end());
    velocities.erase(std::unique(velocities.begin(), velocities.end()), velocities.end());
    if (velocities.empty() || cluster.rows == 0) continue;  // a loop through fixed joints alone
    cluster.J.resize(cluster.rows, static_cast<Eigen::Index>(velocities.size()));
    out.push_back(std::move(cluster));
  }
  return out;
}

void ConstraintCluster::fill(const ConstraintSet& set) {
  J.setZero();
  int row = 0;
  for (const int i : members) {
    const std::vector<int> own = set.velocities(i);
    Eigen::MatrixXd block(set.rows_of(i).size(), static_cast<Eigen::Index>(own.size()));
    set.block(i, block);
    for (std::size_t c = 0; c < own.size(); ++c) {
      const auto column = std::lower_bound(velocities.begin(), velocities.end(), own[c]) - velocities.begin();
      J.block(row, column, block.rows(), 1) = block.col(static_cast<Eigen::Index>(c));
    }
    row += static_cast<int>(block.rows());
  }
}

Eigen::VectorXd ConstraintCluster::rows_of(const ConstraintSet& set, const Eigen::VectorXd& all) const {
  Eigen::VectorXd out(rows);
  int row = 0;
  for (const int i : members) {
    const int n = set.rows_of(i).size();
    out.segment(row, n) = all.segment(set.first_row(i), n);
    row += n;
  }
  return out;
}

}  // namespace cardan
