// The elimination of one node (see graph_elimination.hpp): constraint rows are split by an LQ decomposition,
// independent ones are left to the later nodes, and a QR decomposition takes the energy rows.
#include "cardan/solve/graph_elimination.hpp"
#include "cardan/solve/padded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cardan {

namespace {

constexpr double kRepeated = 1e-9;   // a unit row of which no more than this is left says nothing new
constexpr double kRounding = 2e-10;  // what elimination leaves of a row that repeats others (a ladder of 10,000: 4e-11)
constexpr double kOwnPart = 3e-11;   // the same in the unknowns of one node alone (1e-13)
constexpr double kDigits = 1e-12;    // of a squared size: below it, subtracting has left too few digits
constexpr double kNoEnergy = 1e-12;  // of the largest entry of all energy rows

}  // namespace

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
