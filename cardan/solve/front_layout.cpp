#include "cardan/solve/front_layout.hpp"

#include "cardan/solve/elimination_tree.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kSpareRows = 8, kSpareColumns = 4;  // what kernels read and write beyond the matrix

int parent_of(const LawProblem::Mass& part, int i) {
  if (part.parent.empty()) return i - 1;
  return part.parent[static_cast<std::size_t>(i)];
}

/// Appends a run, or extends the last one.
void append(std::vector<FrontLayout::Run>& runs, std::size_t first, int from, int to, int length) {
  if (runs.size() > first && runs.back().from + runs.back().length == from && runs.back().to + runs.back().length == to)
    runs.back().length += length;
  else
    runs.push_back({from, to, length});
}

}  // namespace

void FrontLayout::arrange(const LawProblem& problem) {
  const bool same = same_parts(problem);
  if (!same) find_nodes(problem);
  gather_couplings(problem);
  if (!same || next_couplings_ != couplings_) {
    std::swap(couplings_, next_couplings_);
    analyze();
    place_mass(problem);
  }
  place_blocks(problem);
}

bool FrontLayout::same_parts(const LawProblem& problem) {
  next_parts_.clear();
  for (const LawProblem::Mass& part : problem.mass) {
    next_parts_.push_back(part.first);
    next_parts_.push_back(static_cast<int>(part.M.rows()));
    next_parts_.push_back(static_cast<int>(part.parent.size()));
    next_parts_.insert(next_parts_.end(), part.parent.begin(), part.parent.end());
  }
  if (next_parts_ == parts_) return true;
  std::swap(parts_, next_parts_);
  return false;
}

void FrontLayout::find_nodes(const LawProblem& problem) {
  nodes_.clear();
  node_of_.assign(static_cast<std::size_t>(problem.velocities()), 0);
  std::vector<int> children;
  for (const LawProblem::Mass& part : problem.mass) {
    const auto n = static_cast<int>(part.M.rows());
    children.assign(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < n; ++i)
      if (const int above = parent_of(part, i); above >= 0) ++children[static_cast<std::size_t>(above)];
    for (int i = 0; i < n; ++i) {
      const int above = parent_of(part, i);
      const bool continues = above >= 0 && above == i - 1 && children[static_cast<std::size_t>(above)] == 1;
      if (!continues) {
        const int node = above < 0 ? -1 : node_of_[static_cast<std::size_t>(part.first + above)];
        if (node >= 0) nodes_[static_cast<std::size_t>(node)].leaf = false;
        nodes_.push_back({part.first + i, 0, node, true});
      }
      ++nodes_.back().size;
      node_of_[static_cast<std::size_t>(part.first + i)] = static_cast<int>(nodes_.size()) - 1;
    }
  }
}

bool FrontLayout::is_ancestor(int above, int node) const {
  while (node > above) node = nodes_[static_cast<std::size_t>(node)].parent;
  return node == above;
}

void FrontLayout::gather_couplings(const LawProblem& problem) {
  next_couplings_.clear();
  for (const LawBlock& block : problem.blocks()) {
    if (block.law == Law::equal) continue;
    touched_.clear();
    for (const int c : problem.columns(block))
      if (const int node = node_of_[static_cast<std::size_t>(c)]; touched_.empty() || touched_.back() != node)
        touched_.push_back(node);
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (std::size_t j = 1; j < touched_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const std::pair pair(touched_[i], touched_[j]);
        if ((next_couplings_.empty() || next_couplings_.back() != pair) && !is_ancestor(pair.first, pair.second))
          next_couplings_.push_back(pair);
      }
  }
  std::sort(next_couplings_.begin(), next_couplings_.end());
  next_couplings_.erase(std::unique(next_couplings_.begin(), next_couplings_.end()), next_couplings_.end());
}

void FrontLayout::analyze() {
  std::vector<std::vector<int>> groups;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].leaf) continue;
    groups.emplace_back();
    for (int node = static_cast<int>(i); node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
      groups.back().push_back(node);
  }
  for (const auto& [a, b] : couplings_) groups.push_back({a, b});
  const EliminationTree tree(static_cast<int>(nodes_.size()), groups);
  order_of_node_ = tree.front_of_node;
  // joins a front with the one behind it where the latter has all its unknowns and no other
  std::vector<std::vector<int>> nodes_of_front;
  std::vector<int> own_nodes;
  for (std::size_t i = 0; i < tree.fronts.size(); ++i) {
    const EliminationTree::Front& front = tree.fronts[i];
    const bool joins = i > 0 && tree.fronts[i - 1].parent == static_cast<int>(i) &&
                       tree.fronts[i - 1].later.size() == front.later.size() + 1;
    if (joins) {
      ++own_nodes.back();
      continue;  // the nodes of the first front are those of all
    }
    std::vector<int>& nodes = nodes_of_front.emplace_back(1, front.node);
    nodes.insert(nodes.end(), front.later.begin(), front.later.end());
    own_nodes.push_back(1);
  }
  lay_out(nodes_of_front, own_nodes);
}

void FrontLayout::lay_out(const std::vector<std::vector<int>>& nodes_of_front, const std::vector<int>& own_nodes) {
  fronts_.assign(nodes_of_front.size(), {});
  front_of_node_.assign(nodes_.size(), 0);
  unknowns_.clear();
  runs_.clear();
  places_in_front_.clear();
  first_place_.assign(1, 0);
  memory_ = 0;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    front.first_unknown = unknowns_.size();
    for (std::size_t k = 0; k < nodes_of_front[f].size(); ++k) {
      const int index = nodes_of_front[f][k];
      const Node& node = nodes_[static_cast<std::size_t>(index)];
      places_in_front_.emplace_back(order_of_node_[static_cast<std::size_t>(index)], front.all);
      for (int i = 0; i < node.size; ++i) unknowns_.push_back(node.first + i);
      front.all += node.size;
      if (static_cast<int>(k) >= own_nodes[f]) continue;
      front_of_node_[static_cast<std::size_t>(index)] = static_cast<int>(f);
      front.own += node.size;
    }
    first_place_.push_back(places_in_front_.size());
    front.stride = front.all + kSpareRows;
    front.first = memory_;
    memory_ += static_cast<std::size_t>(front.stride) * static_cast<std::size_t>(front.all + kSpareColumns);
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    front.first_run = runs_.size();
    const auto& nodes = nodes_of_front[f];
    const auto own = static_cast<std::size_t>(own_nodes[f]);
    if (own < nodes.size()) front.parent = front_of_node_[static_cast<std::size_t>(nodes[own])];
    int from = front.own;
    for (std::size_t k = own; k < nodes.size(); ++k) {
      const int size = nodes_[static_cast<std::size_t>(nodes[k])].size;
      append(runs_, front.first_run, from, position(front.parent, nodes[k]), size);
      from += size;
    }
    front.last_run = runs_.size();
  }
}

/// Where the velocities of a node begin in a front.
int FrontLayout::position(int front, int node) const {
  const auto f = static_cast<std::size_t>(front);
  const auto begin = places_in_front_.begin() + static_cast<std::ptrdiff_t>(first_place_[f]),
             end = places_in_front_.begin() + static_cast<std::ptrdiff_t>(first_place_[f + 1]);
  return std::lower_bound(begin, end, std::pair(order_of_node_[static_cast<std::size_t>(node)], 0))->second;
}

void FrontLayout::place_mass(const LawProblem& problem) {
  mass_.clear();
  std::vector<int> path;
  for (const LawProblem::Mass& part : problem.mass)
    for (int i = 0; i < part.M.rows(); ++i) {
      path.clear();
      for (int j = i; j >= 0; j = parent_of(part, j)) path.push_back(j);
      for (auto j = path.rbegin(); j != path.rend(); ++j) {
        const int a = node_of_[static_cast<std::size_t>(part.first + i)],
                  b = node_of_[static_cast<std::size_t>(part.first + *j)];
        const int f =
            std::min(front_of_node_[static_cast<std::size_t>(a)], front_of_node_[static_cast<std::size_t>(b)]);
        const Front& front = fronts_[static_cast<std::size_t>(f)];
        const auto row = static_cast<std::size_t>(position(f, a) + part.first + i -
                                                  nodes_[static_cast<std::size_t>(a)].first),
                   column = static_cast<std::size_t>(position(f, b) + part.first + *j -
                                                     nodes_[static_cast<std::size_t>(b)].first),
                   stride = static_cast<std::size_t>(front.stride);
        mass_.push_back({front.first + row + stride * column, front.first + column + stride * row});
      }
    }
}

void FrontLayout::place_blocks(const LawProblem& problem) {
  places_.resize(problem.blocks().size());
  block_runs_.clear();
  for (std::size_t b = 0; b < places_.size(); ++b) {
    const LawBlock& block = problem.blocks()[b];
    BlockPlace& place = places_[b];
    place = {-1, block_runs_.size(), block_runs_.size()};
    if (block.law == Law::equal) continue;
    const auto columns = problem.columns(block);
    for (const int c : columns) {
      const int front = front_of_node_[static_cast<std::size_t>(node_of_[static_cast<std::size_t>(c)])];
      if (place.front < 0 || front < place.front) place.front = front;
    }
    int last = -1, start = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int node = node_of_[static_cast<std::size_t>(columns[c])];
      if (node != last) start = position(place.front, node) - nodes_[static_cast<std::size_t>(node)].first;
      last = node;
      append(block_runs_, place.first_run, static_cast<int>(c), start + columns[c], 1);
    }
    place.last_run = block_runs_.size();
  }
}

}  // namespace cardan
