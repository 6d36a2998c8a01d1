#include "cardan/solve/elimination_tree.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>

namespace cardan {

namespace {

/// Position of each node in an order of approximate minimum degree.
Indexed<int> minimum_degree(int nodes, const std::vector<std::vector<int>>& groups) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < nodes; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& group : groups)
    for (const int a : group)
      for (const int b : group)
        if (a != b) entries.emplace_back(a, b, 1.0);
  Eigen::SparseMatrix<double> pattern(nodes, nodes);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order(nodes);
  Eigen::AMDOrdering<int>()(pattern, order);
  Indexed<int> position(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i) position[order.indices()[i]] = i;
  return position;
}

}  // namespace

EliminationTree::EliminationTree(int nodes, const std::vector<std::vector<int>>& groups)
    : front_of_node(static_cast<std::size_t>(nodes)) {
  const auto n = static_cast<std::size_t>(nodes);
  const Indexed<int> position = minimum_degree(nodes, groups);
  const auto by_position = [&](int a, int b) { return position[a] < position[b]; };
  Indexed<int> node_at(n);
  for (int i = 0; i < nodes; ++i) node_at[position[i]] = i;

  // later neighbors and parents, in the order of minimum degree
  Indexed<std::vector<int>> later(n), children(n), groups_of(n);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) continue;
    const int first = *std::min_element(groups[g].begin(), groups[g].end(), by_position);
    groups_of[first].push_back(static_cast<int>(g));
    for (const int node : groups[g])
      if (node != first) later[first].push_back(node);
  }
  Indexed<int> parent(n, -1);
  for (const int node : node_at) {
    std::vector<int>& mine = later[node];
    for (const int child : children[node])
      for (const int other : later[child])
        if (other != node) mine.push_back(other);
    std::sort(mine.begin(), mine.end(), by_position);
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    if (mine.empty()) continue;
    parent[node] = mine.front();
    children[mine.front()].push_back(node);
  }

  // children before parents, each subtree a run
  fronts.reserve(n);
  std::vector<std::pair<int, std::size_t>> path;
  for (const int root : node_at) {
    if (parent[root] >= 0) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next < children[node].size()) {
        path.emplace_back(children[node][next++], 0);
        continue;
      }
      front_of_node[node] = static_cast<int>(fronts.size());
      Front front;
      front.node = node;
      front.groups = std::move(groups_of[node]);
      for (const int child : children[node]) front.children.push_back(front_of_node[child]);
      front.later = std::move(later[node]);
      fronts.push_back(std::move(front));
      path.pop_back();
    }
  }
  for (Front& front : fronts) {
    std::sort(front.later.begin(), front.later.end(),
              [&](int a, int b) { return front_of_node[a] < front_of_node[b]; });
    if (!front.later.empty()) front.parent = front_of_node[front.later.front()];
  }
  for (Front& front : fronts)
    for (const int node : front.later) front.slots.push_back(slot(front.parent, node));
}

int EliminationTree::slot(int front, int node) const {
  const Front& f = fronts[static_cast<std::size_t>(front)];
  if (f.node == node) return 0;
  const auto before = [&](int a, int b) { return front_of_node[a] < front_of_node[b]; };
  return 1 + static_cast<int>(std::lower_bound(f.later.begin(), f.later.end(), node, before) - f.later.begin());
}

}  // namespace cardan
