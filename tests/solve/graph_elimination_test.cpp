// Elimination on a graph against dense algebra: accelerations, multipliers, rank, and what is singular.
#include "cardan/solve/graph_elimination.hpp"

#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::test {
namespace {

using Group = GraphElimination::Group;

std::span<double> view(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

/// The rows of all groups as matrices: W'W and B.
struct Dense {
  Dense(GraphElimination& graph, const std::vector<Group>& groups, int nodes)
      : M(Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes)), B(Eigen::MatrixXd::Zero(graph.constraint_rows(), 6 * nodes)) {
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
      const Group& group = groups[static_cast<std::size_t>(g)];
      const std::size_t width = 6 * group.nodes.size();
      for (int r = 0; r < group.rows; ++r) {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(6 * nodes);
        for (std::size_t k = 0; k < width; ++k)
          row[6 * group.nodes[k / 6] + static_cast<int>(k % 6)] +=
              graph.entries(g)[static_cast<std::size_t>(r) * width + k];
        if (group.is_constraint)
          B.row(graph.first_row(g) + r) = row;
        else
          M += row * row.transpose();
      }
    }
  }
  Eigen::MatrixXd M, B;
};

TEST(GraphElimination, RandomGraphsAgainstDenseAlgebra) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Worst error("accelerations against the dense system", 1e-8), balance("W'W a - f - B' lambda", 1e-8),
      rows("B a - k", 1e-10);
  for (int trial = 0; trial < trials(200); ++trial) {
    const int nodes = 1 + trial % 12;
    std::vector<Group> groups;
    const auto any = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    for (int i = 0; i < nodes; ++i) groups.push_back({{i}, 6, false});
    for (int i = 0; i < nodes; ++i)
      groups.push_back({i > 0 ? std::vector<int>{i, any(i)} : std::vector<int>{i}, any(6), true});
    for (int i = 0; nodes > 2 && i < any(4); ++i)
      if (const int a = any(nodes), b = any(nodes); a != b) groups.push_back({{a, b}, 1 + any(2), true});
    if (nodes > 3) groups.push_back({{0, nodes / 2, nodes - 1}, 2, false});
    const bool repeats = nodes > 1;
    const std::size_t original = static_cast<std::size_t>(nodes) + 1;  // the second constraint, said twice
    if (repeats) groups.push_back(groups[original]);
    GraphElimination graph(nodes, groups, 0.7);
    for (int g = 0; g < static_cast<int>(groups.size()); ++g)
      for (double& entry : graph.entries(g)) entry = normal(generator);
    if (repeats) {
      const auto from = graph.entries(static_cast<int>(original));
      std::copy(from.begin(), from.end(), graph.entries(static_cast<int>(groups.size()) - 1).begin());
    }
    const Dense dense(graph, groups, nodes);
    const int n = 6 * nodes, m = graph.constraint_rows();
    const auto random = [&](int size) {
      return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(size, [&] { return normal(generator); }));
    };
    Eigen::VectorXd f = random(n), k = dense.B * random(n), a(n), lambda(m);
    const auto result = graph.solve(view(f), view(k), view(a), view(lambda));
    ASSERT_EQ(result.singular_node, -1);
    if (m > 0) EXPECT_EQ(m - result.repeated, dense.B.completeOrthogonalDecomposition().rank());
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m);
    all << dense.M, -dense.B.transpose(), dense.B, Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd right(n + m);
    right << f, k;
    const Eigen::VectorXd expected = all.completeOrthogonalDecomposition().solve(right).head(n);
    error.add(relative_error(expected, a), std::to_string(trial));
    balance.add((dense.M * a - f - dense.B.transpose() * lambda).norm() / (1.0 + lambda.norm()), std::to_string(trial));
    if (m > 0) rows.add((dense.B * a - k).norm() / (1.0 + a.norm()), std::to_string(trial));
  }
}

TEST(GraphElimination, ANodeWithoutEnergyIsNamed) {
  std::vector<Group> groups{{{0}, 6, false}, {{1}, 6, false}, {{0, 1}, 5, true}};
  GraphElimination graph(2, groups);
  for (int i = 0; i < 6; ++i) graph.entries(0)[static_cast<std::size_t>(7 * i)] = 1.0;  // node 1 has none
  for (int r = 0; r < 5; ++r) {
    graph.entries(2)[static_cast<std::size_t>(12 * r + r)] = 1.0;
    graph.entries(2)[static_cast<std::size_t>(12 * r + 6 + r)] = -1.0;
  }
  Eigen::VectorXd f = Eigen::VectorXd::Zero(12), k = Eigen::VectorXd::Zero(5), a(12), lambda(5);
  EXPECT_EQ(graph.solve(view(f), view(k), view(a), view(lambda)).singular_node, 1);
}

}  // namespace
}  // namespace cardan::test
