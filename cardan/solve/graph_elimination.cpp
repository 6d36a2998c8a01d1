#include "cardan/solve/graph_elimination.hpp"

#include "cardan/solve/padded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace cardan {

namespace {

constexpr int kSpare = 12;  // energy rows beyond the number of unknowns that are cheaper to carry than to compress
constexpr double kRepeated = 1e-9;   // a unit row of which no more than this is left says nothing new
constexpr double kRounding = 2e-10;  // what elimination leaves of a row that repeats others (a ladder of 10,000: 4e-11)
constexpr double kOwnPart = 3e-11;   // the same in the unknowns of one node alone (1e-13)
constexpr double kDigits = 1e-12;    // of a squared size: below it, subtracting has left too few digits
constexpr double kNoEnergy = 1e-12;  // of the largest entry of all energy rows

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

GraphElimination::Result GraphElimination::factorize() { return factorize(nullptr); }

GraphElimination::Result GraphElimination::factorize(const double* k) {
  used_ = 0;
  find_largest();
  for (Factor& f : factors_) f.filled = f.own_rows;
  Result out;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    gather(i);
    if (!eliminate(i, out)) return out;
    if (k != nullptr) forward(i, k);
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

/// C_b Q = [L 0] with the largest rows first, and the energy rows in the same unknowns.
void GraphElimination::split_by_constraints(Factor& f, double* Q) {
  const int stride = kOwn + f.width;
  int* const order = ints_.data() + f.order;
  std::iota(order, order + f.rows, 0);
  double* const L = memory_.data() + f.L;
  f.rank = 0;
  double* const size = scratch_.data();  // of what is left of each row, squared
  for (int i = 0; i < f.rows; ++i) size[i] = dot_row(row_[at(i)], row_[at(i)], kOwn);
  while (f.rank < kSize && f.rank < f.rows) {
    const int s = f.rank, n = kSize - s;
    const auto largest = [&] { return static_cast<int>(std::max_element(size + s, size + f.rows) - size); };
    int best = largest();
    if (!(size[best] > kDigits)) {
      for (int i = s; i < f.rows; ++i) size[i] = dot_few(row_[at(i)] + s, row_[at(i)] + s, n);
      best = largest();
    }
    const double most = dot_few(row_[at(best)] + s, row_[at(best)] + s, n);
    if (!(most > kRepeated * kRepeated)) break;
    std::swap(size[s], size[best]);
    std::swap(row_[at(s)], row_[at(best)]);
    std::swap(order[s], order[best]);
    double v[kOwn] = {};
    std::copy_n(row_[at(s)] + s, n, v + s);
    const double beta = v[s] > 0.0 ? -std::sqrt(most) : std::sqrt(most);  // the reflection 1 - tau v v' takes v to it
    v[s] -= beta;
    const double tau = -1.0 / (beta * v[s]);
    row_[at(s)][s] = beta;
    const auto apply = [&](double* x) {
      const double sum = tau * dot_row(x, v, kOwn);
      for (int c = 0; c < kOwn; ++c) x[c] -= sum * v[c];
    };
    for (int i = s + 1; i < f.rows; ++i) {
      apply(row_[at(i)]);
      size[i] -= row_[at(i)][s] * row_[at(i)][s];
    }
    for (int i = 0; i < kSize; ++i) apply(Q + kOwn * i);
    ++f.rank;
  }
  for (int i = 0; i < f.energy_rows && f.rank > 0; ++i) {
    double* const row = energy_.data() + i * stride;
    double turned[kOwn] = {};
    add_rows(turned, row, 1, Q, kSize, kOwn, kOwn);
    std::copy_n(turned, kOwn, row);
  }
  for (int i = 0; i < f.rows; ++i)
    for (int c = 0; c < f.rank; ++c) L[kSize * i + c] = c <= i ? row_[at(i)][c] : 0.0;
}

/// y = L1^-1 (c1 - C_1N a_N) into all other rows.
void GraphElimination::substitute(Factor& f) {
  const int stride = kOwn + f.width, width = f.width;
  const double* const L = memory_.data() + f.L;
  double* const Y = memory_.data() + f.Y;
  for (int i = 0; i < f.rows; ++i) {
    double* const x = row_[at(i)] + kOwn;
    const int n = std::min(i, f.rank);
    double minus[kSize];
    for (int j = 0; j < n; ++j) minus[j] = -L[kSize * i + j];
    add_rows(x, minus, 1, Y, n, width, width);
    if (i >= f.rank) continue;
    const double inverse = 1.0 / L[kSize * i + i];
    for (int c = 0; c < width; ++c) Y[i * width + c] = inverse * x[c];
  }
  double* const G = memory_.data() + f.G;
  for (int i = 0; i < f.energy_rows; ++i) {
    double* const row = energy_.data() + i * stride;
    double minus[kSize];
    for (int j = 0; j < f.rank; ++j) minus[j] = -row[j];
    add_rows(row + kOwn, minus, 1, Y, f.rank, width, width);
  }
  std::fill_n(G, f.rank * stride, 0.0);
  for (int j = 0; j < f.rank; ++j)
    add_rows(G + j * stride, energy_.data() + j, stride, energy_.data(), f.energy_rows, stride, stride);
}

/// Puts independent ones of the rows on N on the stack, at unit length; returns how many there are. Doubtful is a row
/// of which more than rounding and less than something new is left, of its b-part too, which is left out.
int GraphElimination::keep_independent(Factor& f, bool& is_doubtful) {
  const int candidates = f.rows - f.rank, width = f.width;
  int* const kept = ints_.data() + f.order + f.most_rows;
  double* const scale = memory_.data() + f.scale;
  double* const left = scratch_.data();  // of each row, orthogonal to those that were kept
  for (int i = 0; i < candidates; ++i) std::copy_n(row_[at(f.rank + i)] + kOwn, width, left + i * width);
  const auto own_part = [&](int i) {  // squared: what no pivot has taken
    const double* const row = row_[at(f.rank + i)] + f.rank;
    return dot_few(row, row, kSize - f.rank);
  };
  double* to = stack_.data() + f.stack;  // the children's remainders, which lay there, have been gathered
  int count = 0;
  while (count < std::min(candidates, f.columns)) {
    int best = -1;
    double most = kRepeated * kRepeated;
    for (int i = 0; i < candidates; ++i)
      if (const double size = dot_row(left + i * width, left + i * width, width); size > most) {
        most = size;
        best = i;
      }
    if (best < 0) break;
    if (own_part(best) > kOwnPart * kOwnPart) is_doubtful = true;
    const double* const row = row_[at(f.rank + best)] + kOwn;
    kept[count] = f.rank + best;
    scale[count] = 1.0 / std::sqrt(dot_row(row, row, width));
    for (int c = 0; c < width; ++c) to[c] = scale[count] * row[c];
    to += width;
    ++count;
    double* const direction = left + best * width;
    for (int i = 0; i < candidates; ++i)
      if (i != best) add_row(left + i * width, -dot_row(left + i * width, direction, width) / most, direction, width);
    std::fill_n(direction, width, 0.0);
    row_[at(f.rank + best)] = nullptr;
  }
  for (int i = 0; i < candidates; ++i)
    if (row_[at(f.rank + i)] != nullptr && (own_part(i) > kOwnPart * kOwnPart ||
                                            dot_row(left + i * width, left + i * width, width) > kRounding * kRounding))
      is_doubtful = true;
  return count;
}

/// R_zz z + R_zN a_N of the energy rows; the others go to the stack. False if z can move without energy.
bool GraphElimination::factorize_energy(Factor& f, double* Q) {
  const int stride = kOwn + f.width, r = f.rank;
  double* const R = memory_.data() + f.R;
  for (int s = r; s < kSize; ++s) {
    const int step = s - r;  // rows above it are done
    int best = s;
    double most = -1.0;
    for (int c = s; c < kSize; ++c) {
      double size = 0.0;
      for (int i = step; i < f.energy_rows; ++i) size += energy_[at(i * stride + c)] * energy_[at(i * stride + c)];
      if (size > most) {
        most = size;
        best = c;
      }
    }
    const double norm = std::sqrt(most);
    if (!(norm > kNoEnergy * largest_)) return false;
    if (best != s) {
      for (int i = 0; i < f.energy_rows; ++i) std::swap(energy_[at(i * stride + s)], energy_[at(i * stride + best)]);
      for (int i = 0; i < kSize; ++i) std::swap(Q[kOwn * i + s], Q[kOwn * i + best]);
      for (int i = 0; i < r; ++i) std::swap(memory_[f.G + at(i * stride + s)], memory_[f.G + at(i * stride + best)]);
    }
    reflect_columns(f, step, f.energy_rows, s, norm);
  }
  const int z = kSize - r;
  for (int i = 0; i < z; ++i) std::copy_n(energy_.data() + i * stride, stride, R + i * stride);
  compress(f, z);
  double* to = stack_.data() + f.stack + at(f.kept) * at(f.width);
  for (int i = z; i < z + f.energy_rows; ++i, to += f.width)
    std::copy_n(energy_.data() + i * stride + kOwn, f.width, to);
  return true;
}

/// Makes column `c` of the energy rows zero below row `step`, by a reflection of the rows from there on. Columns before
/// it are zero there already.
void GraphElimination::reflect_columns(const Factor& f, int step, int last, int c, double norm) {
  const int stride = kOwn + f.width, from = c / kLanes * kLanes, n = stride - from, rows = last - step;
  double* const first = energy_.data() + step * stride + from;
  double* const head = first + (c - from);
  const double beta = *head > 0.0 ? -norm : norm;
  *head -= beta;
  const double tau = -1.0 / (beta * *head);
  double* const sum = scratch_.data();
  std::fill_n(sum, n, 0.0);
  add_rows(sum, head, stride, first, rows, stride, n);  // of the rows with the column as it will have been
  for (int k = 0; k < n; ++k) sum[k] *= -tau;
  for (int i = 0; i < rows; ++i) add_row(first + i * stride, head[i * stride], sum, n);
  *head = beta;
  for (int i = 1; i < rows; ++i) head[i * stride] = 0.0;
}

/// Leaves no more energy rows from `first` on than N has unknowns; counts them.
void GraphElimination::compress(Factor& f, int first) {
  const int stride = kOwn + f.width, rows = f.energy_rows - first;
  f.energy_rows = rows;
  if (rows <= f.columns + kSpare) return;
  f.energy_rows = f.columns;
  const int last = first + rows;
  for (int c = 0; c < f.columns; ++c) {
    double most = 0.0;
    for (int i = first + c; i < last; ++i) {
      const double entry = energy_[at(i * stride + kOwn + c)];
      most += entry * entry;
    }
    if (most > 0.0) reflect_columns(f, first + c, last, kOwn + c, std::sqrt(most));
  }
}

}  // namespace cardan
