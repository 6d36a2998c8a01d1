#include "cardan/solve/graph_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace cardan {

namespace {

constexpr int kSize = GraphElimination::kSize;
constexpr int kSpare = 12;  // energy rows beyond the number of unknowns that are cheaper to carry than to compress
constexpr int kOwn = 8;     // places of the front's own unknowns in a row
constexpr double kRepeated = 1e-9;   // a unit row of which no more than this is left says nothing new
constexpr double kNoEnergy = 1e-12;  // of the largest entry of all energy rows
constexpr int kMostRefinements = 4;
constexpr double kRefined = 1e-10;  // a correction this small has made the rest of rounding size

int padded(int n) { return (n + 7) / 8 * 8; }
/// Where a slot of a front begins in a row.
int column(int slot) { return slot == 0 ? 0 : kOwn + kSize * (slot - 1); }

/// y += c x on n places, a multiple of 8.
void add(double* __restrict y, double c, const double* __restrict x, int n) {
  for (int i = 0; i < n; i += 8)
    for (int l = 0; l < 8; ++l) y[i + l] += c * x[i + l];
}
double dot(const double* x, const double* y, int n) {
  double lane[8] = {};
  for (int i = 0; i < n; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] += x[i + l] * y[i + l];
  return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}
/// y += sum of c_j x_j over `terms` rows x_j, `stride` apart: blocks of eight stay in registers.
void add_rows(double* __restrict y, const double* __restrict c, const double* __restrict x, int terms, int stride,
              int n) {
  for (int i = 0; i < n; i += 8) {
    double sum[8];
    for (int l = 0; l < 8; ++l) sum[l] = y[i + l];
    for (int j = 0; j < terms; ++j)
      for (int l = 0; l < 8; ++l) sum[l] += c[j] * x[j * stride + i + l];
    for (int l = 0; l < 8; ++l) y[i + l] = sum[l];
  }
}
/// The same with the coefficients `stride` apart, too.
void set_product(double* __restrict y, const double* __restrict c, const double* __restrict x, int terms, int stride,
                 int n) {
  for (int i = 0; i < n; i += 8) {
    double sum[8] = {};
    for (int j = 0; j < terms; ++j)
      for (int l = 0; l < 8; ++l) sum[l] += c[j * stride] * x[j * stride + i + l];
    for (int l = 0; l < 8; ++l) y[i + l] = sum[l];
  }
}
double dot_few(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

GraphElimination::GraphElimination(int nodes, std::vector<Group> groups, double length)
    : groups_(std::move(groups)), length_(length), tree_(nodes, [&] {
        std::vector<std::vector<int>> out;
        for (const Group& group : groups_) out.push_back(group.nodes);
        return out;
      }()) {
  std::size_t entries = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    first_entry_.push_back(entries);
    entries += group_size(static_cast<int>(g));
    first_row_.push_back(group.is_constraint ? constraint_rows_ : -1);
    row_count_.push_back(group.rows);
    if (group.is_constraint) constraint_rows_ += group.rows;
  }
  group_entries_.assign(entries, 0.0);
  row_scale_.assign(at(constraint_rows_), 1.0);
  group_slots_.resize(groups_.size());
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    for (const int group : tree_.fronts[f].groups)
      for (const int node : groups_[at(group)].nodes)
        group_slots_[at(group)].push_back(tree_.slot(static_cast<int>(f), node));
  lay_out();
  const auto unknowns = at(nodes) * kSize;
  g_.resize(unknowns);
  residual_f_.resize(unknowns);
  change_a_.resize(unknowns);
  residual_k_.resize(at(constraint_rows_));
  change_lambda_.resize(at(constraint_rows_));
}

/// Reserves memory for the largest that each front can become.
void GraphElimination::lay_out() {
  factors_.resize(tree_.fronts.size());
  std::size_t memory = 0, ints = 0, values = 0, stack = 0, deepest = 0, energy = 0, constraint = 0, most_rows = 0,
              widest = 0;
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
    memory += kSize * kOwn + rows * kSize + 8 + kSize * width + kSize * (kOwn + width) + rows + 8;
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
  ints_.assign(ints, 0);
  rhs_.assign(values, 0.0);
  stack_.assign(deepest, 0.0);
  energy_.assign(energy, 0.0);
  constraint_.assign(constraint, 0.0);
  row_.resize(most_rows + 1);
  scratch_.assign(most_rows * widest + 2 * widest, 0.0);
}

void GraphElimination::scale_rows() {
  largest_ = 0.0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const int n = kSize * static_cast<int>(group.nodes.size());
    const double* row = group_entries_.data() + first_entry_[g];
    if (!group.is_constraint) {
      for (const double entry : entries(static_cast<int>(g))) largest_ = std::max(largest_, std::abs(entry));
      continue;
    }
    for (int i = 0; i < group.rows; ++i, row += n) {
      double sum = 0.0;
      for (int c = 0; c < n; ++c) {
        const double entry = c % kSize < 3 ? row[c] / length_ : row[c];
        sum += entry * entry;
      }
      row_scale_[at(first_row_[g] + i)] = sum > 0.0 ? 1.0 / std::sqrt(sum) : 1.0;
    }
  }
}

GraphElimination::Result GraphElimination::factorize() {
  used_ = 0;
  scale_rows();
  Result out;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    gather(i);
    if (!eliminate(i, out.repeated)) {
      out.singular_node = tree_.fronts[i].node;
      return out;
    }
  }
  return out;
}

void GraphElimination::gather(std::size_t front) {
  const EliminationTree::Front& tree = tree_.fronts[front];
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
  for (const int g : tree.groups) {
    const Group& group = groups_[at(g)];
    const double* entry = group_entries_.data() + first_entry_[at(g)];
    for (int i = 0; i < row_count_[at(g)]; ++i) {
      double* const row = new_row(group.is_constraint);
      const double scale = group.is_constraint ? row_scale_[at(first_row_[at(g)] + i)] : 1.0;
      for (const int slot : group_slots_[at(g)]) {
        double* const to = row + column(slot);
        for (int c = 0; c < 3; ++c) to[c] += entry[c] * (scale / length_);
        for (int c = 3; c < kSize; ++c) to[c] += entry[c] * scale;
        entry += kSize;
      }
    }
  }
  for (const int child : tree.children) {
    Factor& c = factors_[at(child)];
    const std::vector<int>& slots = tree_.fronts[at(child)].slots;
    const double* from = stack_.data() + c.stack;
    c.in_parent = at(f.rows);
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

bool GraphElimination::eliminate(std::size_t front, int& repeated) {
  Factor& f = factors_[front];
  f.Q = std::exchange(used_, used_ + kSize * kOwn);
  f.L = std::exchange(used_, used_ + (at(f.rows) * kSize + 7) / 8 * 8);
  double* const Q = memory_.data() + f.Q;
  std::fill_n(Q, kSize * kOwn, 0.0);
  for (int i = 0; i < kSize; ++i) Q[kOwn * i + i] = 1.0;
  split_by_constraints(f, Q);
  // the factor is as large as it now turns out to be: what a solution reads lies close together
  const auto take = [&](std::size_t n) { return std::exchange(used_, used_ + (n + 7) / 8 * 8); };
  f.Y = take(at(f.rank * f.width));
  f.G = take(at(f.rank * (kOwn + f.width)));
  f.R = take(at((kSize - f.rank) * (kOwn + f.width)));
  f.scale = take(at(f.rows - f.rank));
  substitute(f);
  f.kept = keep_independent(f);
  repeated += f.rows - f.rank - f.kept;
  return factorize_energy(f, Q);
}

/// C_b Q = [L 0] with the largest rows first, and the energy rows in the same unknowns.
void GraphElimination::split_by_constraints(Factor& f, double* Q) {
  const int stride = kOwn + f.width;
  int* const order = ints_.data() + f.order;
  std::iota(order, order + f.rows, 0);
  double* const L = memory_.data() + f.L;
  f.rank = 0;
  double* const size = scratch_.data();  // of what is left of each row, squared
  for (int i = 0; i < f.rows; ++i) size[i] = dot(row_[at(i)], row_[at(i)], kOwn);
  while (f.rank < kSize && f.rank < f.rows) {
    const int s = f.rank, n = kSize - s;
    const int best = static_cast<int>(std::max_element(size + s, size + f.rows) - size);
    const double most = dot_few(row_[at(best)] + s, row_[at(best)] + s, n);
    if (!(most > kRepeated * kRepeated)) {
      if (!(size[best] > 4.0 * kRepeated * kRepeated)) break;
      // subtracting has left rounding where there is nothing
      for (int i = s; i < f.rows; ++i) size[i] = dot_few(row_[at(i)] + s, row_[at(i)] + s, n);
      if (!(*std::max_element(size + s, size + f.rows) > kRepeated * kRepeated)) break;
      continue;
    }
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
      const double sum = tau * dot(x, v, kOwn);
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
    add_rows(turned, row, Q, kSize, kOwn, kOwn);
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
    add_rows(x, minus, Y, n, width, width);
    if (i >= f.rank) continue;
    const double inverse = 1.0 / L[kSize * i + i];
    for (int c = 0; c < width; ++c) Y[i * width + c] = inverse * x[c];
  }
  double* const G = memory_.data() + f.G;
  for (int i = 0; i < f.energy_rows; ++i) {
    double* const row = energy_.data() + i * stride;
    double minus[kSize];
    for (int j = 0; j < f.rank; ++j) minus[j] = -row[j];
    add_rows(row + kOwn, minus, Y, f.rank, width, width);
  }
  for (int j = 0; j < f.rank; ++j)
    set_product(G + j * stride, energy_.data() + j, energy_.data(), f.energy_rows, stride, stride);
}

/// Puts independent ones of the rows on N on the stack, at unit length; returns how many there are.
int GraphElimination::keep_independent(Factor& f) {
  const int candidates = f.rows - f.rank, width = f.width;
  int* const kept = ints_.data() + f.order + f.most_rows;
  double* const scale = memory_.data() + f.scale;
  double* const left = scratch_.data();  // of each row, orthogonal to those that were kept
  for (int i = 0; i < candidates; ++i) std::copy_n(row_[at(f.rank + i)] + kOwn, width, left + i * width);
  double* to = stack_.data() + f.stack;  // the children's remainders, which lay there, have been gathered
  int count = 0;
  while (count < std::min(candidates, f.columns)) {
    int best = -1;
    double most = kRepeated * kRepeated;
    for (int i = 0; i < candidates; ++i)
      if (const double size = dot(left + i * width, left + i * width, width); size > most) {
        most = size;
        best = i;
      }
    if (best < 0) break;
    const double* const row = row_[at(f.rank + best)] + kOwn;
    kept[count] = f.rank + best;
    scale[count] = 1.0 / std::sqrt(dot(row, row, width));
    for (int c = 0; c < width; ++c) to[c] = scale[count] * row[c];
    to += width;
    ++count;
    double* const direction = left + best * width;
    for (int i = 0; i < candidates; ++i)
      if (i != best) add(left + i * width, -dot(left + i * width, direction, width) / most, direction, width);
    std::fill_n(direction, width, 0.0);
  }
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
  const int stride = kOwn + f.width, from = c / 8 * 8, n = stride - from, rows = last - step;
  double* const first = energy_.data() + step * stride + from;
  double* const head = first + (c - from);
  const double beta = *head > 0.0 ? -norm : norm;
  *head -= beta;
  const double tau = -1.0 / (beta * *head);
  double* const sum = scratch_.data();
  set_product(sum, head, first, rows, stride, n);  // of the rows with the column as it will have been
  for (int k = 0; k < n; ++k) sum[k] *= -tau;
  for (int i = 0; i < rows; ++i) add(first + i * stride, head[i * stride], sum, n);
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

double GraphElimination::solve(std::span<const double> f, std::span<const double> k, std::span<double> a,
                               std::span<double> lambda) {
  solve_once(f.data(), k.data(), a.data(), lambda.data());
  const auto largest = [](std::span<const double> x) {
    double out = 0.0;
    for (const double value : x) out = std::max(out, std::abs(value));
    return out;
  };
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostRefinements; ++i) {
    residual(f, k, a, lambda);
    solve_once(residual_f_.data(), residual_k_.data(), change_a_.data(), change_lambda_.data());
    const double a_size = std::max(largest(a), 1e-300), lambda_size = std::max(largest(lambda), 1e-300);
    const double change = std::max(largest(change_a_) / a_size, largest(change_lambda_) / lambda_size);
    if (!(change < before)) break;  // down to rounding
    for (std::size_t j = 0; j < a.size(); ++j) a[j] += change_a_[j];
    for (std::size_t j = 0; j < lambda.size(); ++j) lambda[j] += change_lambda_[j];
    before = change;
    if (change <= kRefined) break;
  }
  return before;
}

void GraphElimination::solve_once(const double* f, const double* k, double* a, double* lambda) {
  for (std::size_t i = 0; i < g_.size(); ++i) g_[i] = i % kSize < 3 ? f[i] / length_ : f[i];
  for (std::size_t i = 0; i < factors_.size(); ++i) forward(i, k);
  for (std::size_t i = factors_.size(); i-- > 0;) backward(i, a, lambda);
  for (std::size_t i = 0; i < g_.size(); ++i)
    if (i % kSize < 3) a[i] /= length_;
}

/// Takes the right sides to the later nodes.
void GraphElimination::forward(std::size_t front, const double* k) {
  const EliminationTree::Front& tree = tree_.fronts[front];
  const Factor& f = factors_[front];
  const int r = f.rank, z = kSize - r, stride = kOwn + f.width;
  double *const c = rhs_.data() + f.values, *const y = c + f.most_rows, *const g1 = y + kSize, *const u = g1 + kSize;
  int row = 0;
  for (const int g : tree.groups)
    for (int i = 0; groups_[at(g)].is_constraint && i < groups_[at(g)].rows; ++i, ++row)
      c[row] = row_scale_[at(first_row_[at(g)] + i)] * k[first_row_[at(g)] + i];
  // the children have put theirs after these
  const int* const order = ints_.data() + f.order;
  const double *const L = memory_.data() + f.L, *const Q = memory_.data() + f.Q;
  for (int i = 0; i < r; ++i) y[i] = (c[order[i]] - dot_few(L + kSize * i, y, i)) / L[kSize * i + i];
  if (tree.parent >= 0) {
    const Factor& parent = factors_[at(tree.parent)];
    const int* const kept = order + f.most_rows;
    for (int i = 0; i < f.kept; ++i)
      rhs_[parent.values + f.in_parent + at(i)] =
          memory_[f.scale + at(i)] * (c[order[kept[i]]] - dot_few(L + kSize * kept[i], y, r));
  }
  const double* const own = g_.data() + at(tree.node) * kSize;
  double gq[kSize];
  for (int i = 0; i < kSize; ++i) {
    gq[i] = 0.0;
    for (int j = 0; j < kSize; ++j) gq[i] += Q[kOwn * j + i] * own[j];
  }
  std::copy_n(gq, r, g1);
  const double *const Y = memory_.data() + f.Y, *const G = memory_.data() + f.G, *const R = memory_.data() + f.R;
  double* const sum = scratch_.data();
  std::fill_n(sum, f.width, 0.0);
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < z; ++i) gq[r + i] -= G[j * stride + r + i] * y[j];
    add(sum, g1[j], Y + j * f.width, f.width);
    add(sum, y[j], G + j * stride + kOwn, f.width);
  }
  for (int i = 0; i < z; ++i) {
    u[i] = gq[r + i];
    for (int j = 0; j < i; ++j) u[i] -= R[j * stride + r + i] * u[j];
    u[i] /= R[i * stride + r + i];
    add(sum, u[i], R + i * stride + kOwn, f.width);
  }
  for (std::size_t n = 0; n < tree.later.size(); ++n)
    for (std::size_t i = 0; i < kSize; ++i) g_[at(tree.later[n]) * kSize + i] -= sum[kSize * n + i];
}

/// Finds the unknowns of a node from those of the later ones, and the multipliers of its rows.
void GraphElimination::backward(std::size_t front, double* a, double* lambda) {
  const EliminationTree::Front& tree = tree_.fronts[front];
  const Factor& f = factors_[front];
  const int r = f.rank, z = kSize - r, stride = kOwn + f.width;
  double *const c = rhs_.data() + f.values, *const y = c + f.most_rows, *const g1 = y + kSize, *const u = g1 + kSize;
  double* const later = scratch_.data();
  std::fill_n(later, f.width, 0.0);
  for (std::size_t n = 0; n < tree.later.size(); ++n)
    std::copy_n(a + at(tree.later[n]) * kSize, kSize, later + kSize * n);
  const double *const Y = memory_.data() + f.Y, *const G = memory_.data() + f.G, *const R = memory_.data() + f.R;
  double own[kSize];  // y, then z
  for (int i = z; i-- > 0;) {
    double x = u[i] - dot(R + i * stride + kOwn, later, f.width);
    for (int j = i + 1; j < z; ++j) x -= R[i * stride + r + j] * own[r + j];
    own[r + i] = x / R[i * stride + r + i];
  }
  double pull[kSize];
  for (int i = 0; i < r; ++i) {
    own[i] = y[i] - dot(Y + i * f.width, later, f.width);
    pull[i] = dot_few(G + i * stride, y, r) + dot_few(G + i * stride + r, own + r, z) +
              dot(G + i * stride + kOwn, later, f.width) - g1[i];
  }
  const double* const Q = memory_.data() + f.Q;
  for (int i = 0; i < kSize; ++i) a[at(tree.node) * kSize + at(i)] = dot_few(Q + kOwn * i, own, kSize);

  // multipliers of the front's rows, in place of their right sides: those left to the parent, then those that give y
  const int* const order = ints_.data() + f.order;
  const double* const L = memory_.data() + f.L;
  std::fill_n(c, f.rows, 0.0);
  if (tree.parent >= 0) {
    const int* const kept = order + f.most_rows;
    for (int i = 0; i < f.kept; ++i) {
      const double given = memory_[f.scale + at(i)] * rhs_[factors_[at(tree.parent)].values + f.in_parent + at(i)];
      c[order[kept[i]]] = given;
      for (int j = 0; j < r; ++j) pull[j] -= L[kSize * kept[i] + j] * given;
    }
  }
  for (int i = r; i-- > 0;) {
    double x = pull[i];
    for (int j = i + 1; j < r; ++j) x -= L[kSize * j + i] * c[order[j]];
    c[order[i]] = x / L[kSize * i + i];
  }
  int row = 0;
  for (const int g : tree.groups)
    for (int i = 0; groups_[at(g)].is_constraint && i < groups_[at(g)].rows; ++i, ++row)
      lambda[first_row_[at(g)] + i] = row_scale_[at(first_row_[at(g)] + i)] * c[row];
}

void GraphElimination::residual(std::span<const double> f, std::span<const double> k, std::span<const double> a,
                                std::span<const double> lambda) {
  std::copy(f.begin(), f.end(), residual_f_.begin());
  std::copy(k.begin(), k.end(), residual_k_.begin());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const double* entry = group_entries_.data() + first_entry_[g];
    for (int i = 0; i < row_count_[g]; ++i, entry += kSize * group.nodes.size()) {
      double value = 0.0;
      for (std::size_t n = 0; n < group.nodes.size(); ++n)
        value += dot_few(entry + kSize * n, a.data() + at(group.nodes[n]) * kSize, kSize);
      double pull = -value;
      if (group.is_constraint) {
        residual_k_[at(first_row_[g] + i)] -= value;
        pull = lambda[at(first_row_[g] + i)];
      }
      for (std::size_t n = 0; n < group.nodes.size(); ++n)
        for (std::size_t c = 0; c < kSize; ++c)
          residual_f_[at(group.nodes[n]) * kSize + c] += pull * entry[kSize * n + c];
    }
  }
}

}  // namespace cardan
