#include "cardan/solve/graph_elimination.hpp"

#include "cardan/solve/padded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardan {

namespace {

/// Where a slot of a front begins in a row.
int column(int slot) { return slot == 0 ? 0 : GraphElimination::kOwn + GraphElimination::kSize * (slot - 1); }

}  // namespace

GraphElimination::GraphElimination(int nodes, std::vector<Group> groups, double length)
    : groups_(std::move(groups)), length_(length), tree_(nodes, [&] {
        std::vector<std::vector<int>> out;
        for (const Group& group : groups_) out.push_back(group.nodes);
        return out;
      }()) {
  for (const Group& group : groups_) {
    first_row_.push_back(group.is_constraint ? constraint_rows_ : -1);
    row_count_.push_back(group.rows);
    if (group.is_constraint) constraint_rows_ += group.rows;
  }
  row_scale_.assign(at(constraint_rows_), 1.0);
  place_groups();
  lay_out();
  const auto unknowns = at(nodes) * kSize;
  g_.resize(unknowns);
  residual_f_.resize(unknowns);
  change_a_.resize(unknowns);
  residual_k_.resize(at(constraint_rows_));
  change_lambda_.resize(at(constraint_rows_));
}

/// Puts groups, and all that is asked of them during an elimination, in the order in which fronts read them: of large
/// systems each number is fetched from far.
void GraphElimination::place_groups() {
  factors_.resize(tree_.fronts.size());
  first_entry_.assign(groups_.size(), 0);
  std::size_t entries = 0;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const EliminationTree::Front& front = tree_.fronts[i];
    Factor& f = factors_[i];
    f.node = front.node;
    f.parent = front.parent;
    f.first_piece = static_cast<int>(pieces_.size());
    f.pieces = static_cast<int>(front.groups.size());
    f.later_count = static_cast<int>(front.later.size());
    f.later = ints_.size();
    ints_.insert(ints_.end(), front.later.begin(), front.later.end());
    for (const int g : front.groups) {
      const Group& group = groups_[at(g)];
      Piece piece{g, group.rows, first_row_[at(g)], static_cast<int>(group.nodes.size()), entries, ints_.size(), 0};
      for (const int node : group.nodes) ints_.push_back(tree_.slot(static_cast<int>(i), node));
      piece.node = ints_.size();
      ints_.insert(ints_.end(), group.nodes.begin(), group.nodes.end());
      pieces_.push_back(piece);
      first_entry_[at(g)] = entries;
      entries += group_size(g);
      if (group.is_constraint) f.own_rows += group.rows;
    }
    f.numbers = ints_.size();
    for (const int g : front.groups)
      for (int r = 0; groups_[at(g)].is_constraint && r < groups_[at(g)].rows; ++r)
        ints_.push_back(first_row_[at(g)] + r);
  }
  // groups without nodes belong to no front
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].nodes.empty()) first_entry_[g] = entries;
  group_entries_.assign(entries, 0.0);
}

/// Reserves memory for the largest that each front can become.
void GraphElimination::lay_out() {
  std::size_t memory = 0, ints = ints_.size(), values = 0, stack = 0, deepest = 0, energy = 0, constraint = 0,
              most_rows = 0, widest = 0;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const EliminationTree::Front& front = tree_.fronts[i];
    Factor& f = factors_[i];
    f.columns = kSize * static_cast<int>(front.later.size());
    f.width = padded(f.columns);
    for (const int group : front.groups)
      (groups_[at(group)].is_constraint ? f.most_rows : f.most_energy_rows) += groups_[at(group)].rows;
    for (const int child : front.children) {
      const Factor& c = factors_[at(child)];
      f.most_rows += std::min(c.most_rows, c.columns);
      f.most_energy_rows += std::min(c.most_energy_rows, c.columns + kSpare);
    }
    const auto width = at(f.width), rows = at(f.most_rows), energy_rows = at(f.most_energy_rows);
    memory += kSize * kOwn + rows * kSize + kSize * width + kSize * (kOwn + width) + rows + 2 * kLanes;
    f.order = std::exchange(ints, ints + 2 * rows);
    f.values = std::exchange(values, values + rows + 3 * kSize);
    // children lie on the stack one after the other; the front's remainder goes to where the first of them was
    if (!front.children.empty()) stack = factors_[at(front.children.front())].stack;
    f.stack = stack;
    const auto columns = at(f.columns);
    stack += (std::min(rows, columns) + std::min(energy_rows, columns + kSpare)) * width;
    deepest = std::max(deepest, stack);
    energy = std::max(energy, (energy_rows + 1) * (kOwn + width));
    constraint = std::max(constraint, (rows + 1) * (kOwn + width));
    most_rows = std::max({most_rows, rows, energy_rows});
    widest = std::max(widest, kOwn + width);
  }
  memory_.assign(memory, 0.0);
  ints_.resize(ints, 0);
  rhs_.assign(values, 0.0);
  stack_.assign(deepest, 0.0);
  energy_.assign(energy, 0.0);
  constraint_.assign(constraint, 0.0);
  row_.resize(most_rows + 1);
  scratch_.assign(most_rows * widest + 2 * widest, 0.0);
}

void GraphElimination::find_largest() {
  largest_ = 0.0;
  for (const Piece& piece : pieces_) {
    if (piece.first_row >= 0) continue;
    const double* const entry = group_entries_.data() + piece.entry;
    for (int c = 0; c < piece.rows * piece.nodes * kSize; ++c) largest_ = std::max(largest_, std::abs(entry[c]));
  }
}

GraphElimination::Result GraphElimination::factorize(const double* k) {
  used_ = 0;
  find_largest();
  for (Factor& f : factors_) f.filled = f.own_rows;
  Result out;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    gather(i);
    if (!eliminate(i, out)) return out;
    forward(i, k);
  }
  return out;
}

void GraphElimination::gather(std::size_t front) {
  Factor& f = factors_[front];
  const int stride = kOwn + f.width;
  f.rows = f.energy_rows = 0;
  const auto new_row = [&](bool is_constraint) {
    double* const row =
        is_constraint ? constraint_.data() + at(f.rows) * at(stride) : energy_.data() + at(f.energy_rows) * at(stride);
    std::fill_n(row, stride, 0.0);
    if (is_constraint) row_[at(f.rows)] = row;
    ++(is_constraint ? f.rows : f.energy_rows);
    return row;
  };
  const double inverse_length = 1.0 / length_;
  for (int p = f.first_piece; p < f.first_piece + f.pieces; ++p) {
    const Piece& piece = pieces_[at(p)];
    const bool is_constraint = piece.first_row >= 0;
    const double* entry = group_entries_.data() + piece.entry;
    const int* const slots = ints_.data() + piece.slots;
    for (int i = 0; i < row_count_[at(piece.group)]; ++i) {
      double* const row = new_row(is_constraint);
      double sum = 0.0;
      for (int n = 0; n < piece.nodes; ++n, entry += kSize) {
        double* const to = row + column(slots[n]);
        for (int c = 0; c < 3; ++c) to[c] += entry[c] * inverse_length;
        for (int c = 3; c < kSize; ++c) to[c] += entry[c];
        if (is_constraint) sum += dot_few(to, to, kSize);
      }
      if (!is_constraint) continue;
      const double scale = sum > 0.0 ? 1.0 / std::sqrt(sum) : 1.0;
      row_scale_[at(piece.first_row + i)] = scale;
      for (int c = 0; c < stride; ++c) row[c] *= scale;
    }
  }
  for (const int child : tree_.fronts[front].children) {
    const Factor& c = factors_[at(child)];
    const std::vector<int>& slots = tree_.fronts[at(child)].slots;
    const double* from = stack_.data() + c.stack;
    for (int i = 0; i < c.kept + c.energy_rows; ++i, from += c.width) {
      double* const row = new_row(i < c.kept);
      const double* entry = from;
      for (const int slot : slots) {
        double* const to = row + column(slot);
        for (int k = 0; k < kSize; ++k) to[k] = entry[k];
        entry += kSize;
      }
    }
  }
}

bool GraphElimination::eliminate(std::size_t front, Result& result) {
  Factor& f = factors_[front];
  f.Q = std::exchange(used_, used_ + kSize * kOwn);
  f.L = std::exchange(used_, used_ + at(padded(f.rows * kSize)));
  double* const Q = memory_.data() + f.Q;
  std::fill_n(Q, kSize * kOwn, 0.0);
  for (int i = 0; i < kSize; ++i) Q[kOwn * i + i] = 1.0;
  split_by_constraints(f, Q);
  // the factor is as large as it now turns out to be: what a solution reads lies close together
  const auto take = [&](std::size_t n) { return std::exchange(used_, used_ + (n + kLanes - 1) / kLanes * kLanes); };
  f.Y = take(at(f.rank * f.width));
  f.G = take(at(f.rank * (kOwn + f.width)));
  f.R = take(at((kSize - f.rank) * (kOwn + f.width)));
  f.scale = take(at(f.rows - f.rank));
  substitute(f);
  bool is_doubtful = false;
  f.kept = keep_independent(f, is_doubtful);
  if (is_doubtful) {
    result.doubtful_node = f.node;
    return false;
  }
  if (f.parent >= 0) {
    Factor& parent = factors_[at(f.parent)];
    f.in_parent = at(std::exchange(parent.filled, parent.filled + f.kept));
  }
  result.repeated += f.rows - f.rank - f.kept;
  if (factorize_energy(f, Q)) return true;
  result.singular_node = f.node;
  return false;
}

}  // namespace cardan
