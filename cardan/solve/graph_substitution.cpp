// Solving with the factors that GraphElimination::factorize leaves: right sides go from node to node as the rows did,
// unknowns and multipliers come back.
#include "cardan/solve/graph_elimination.hpp"
#include "cardan/solve/padded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr int kMostRefinements = 4;
constexpr std::size_t kAhead = 2;  // fronts
// A correction is about the contraction of refinement itself: the next would be its square, of rounding size.
constexpr double kRefined = 3e-8;

}  // namespace

GraphElimination::Result GraphElimination::solve(std::span<const double> f, std::span<const double> k,
                                                 std::span<double> a, std::span<double> lambda) {
  set_right_side(f.data());
  const Result out = factorize(k.data());
  if (out.singular_node >= 0 || out.doubtful_node >= 0) return out;
  substitute_back(a.data(), lambda.data());
  refine(f, k, a, lambda);
  return out;
}

void GraphElimination::refine(std::span<const double> f, std::span<const double> k, std::span<double> a,
                              std::span<double> lambda) {
  const auto largest = [](std::span<const double> x) {
    double out = 0.0;
    for (const double value : x) out = std::max(out, std::abs(value));
    return out;
  };
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostRefinements; ++i) {
    residual(f, k, a, lambda);
    set_right_side(residual_f_.data());
    for (std::size_t j = 0; j < factors_.size(); ++j) forward(j, residual_k_.data());
    substitute_back(change_a_.data(), change_lambda_.data());
    const double a_size = std::max(largest(a), 1e-300), lambda_size = std::max(largest(lambda), 1e-300);
    const double change = std::max(largest(change_a_) / a_size, largest(change_lambda_) / lambda_size);
    if (!(change < before)) break;  // down to rounding
    for (std::size_t j = 0; j < a.size(); ++j) a[j] += change_a_[j];
    for (std::size_t j = 0; j < lambda.size(); ++j) lambda[j] += change_lambda_[j];
    before = change;
    if (change <= kRefined) break;
  }
}

void GraphElimination::set_right_side(const double* f) {
  const double inverse_length = 1.0 / length_;
  for (std::size_t i = 0; i < g_.size(); i += kSize)
    for (std::size_t c = 0; c < kSize; ++c) g_[i + c] = c < 3 ? f[i + c] * inverse_length : f[i + c];
}

/// Asks for the factor of a front that will soon be read: walking back through memory is not foreseen by processors.
void GraphElimination::fetch(const Factor& f) const {
  for (std::size_t i = f.Q; i < f.scale; i += 8) __builtin_prefetch(memory_.data() + i);
}

void GraphElimination::substitute_back(double* a, double* lambda) {
  for (std::size_t i = factors_.size(); i-- > 0;) {
    if (i >= kAhead) fetch(factors_[i - kAhead]);
    backward(i, a, lambda);
  }
  const double inverse_length = 1.0 / length_;
  for (std::size_t i = 0; i < g_.size(); i += kSize)
    for (std::size_t c = 0; c < 3; ++c) a[i + c] *= inverse_length;
}

void GraphElimination::forward(std::size_t front, const double* k) {
  const Factor& f = factors_[front];
  const int r = f.rank, z = kSize - r, stride = kOwn + f.width;
  double *const c = rhs_.data() + f.values, *const y = c + f.most_rows, *const g1 = y + kSize, *const u = g1 + kSize;
  const int* const numbers = ints_.data() + f.numbers;
  for (int i = 0; i < f.own_rows; ++i) c[i] = row_scale_[at(numbers[i])] * k[numbers[i]];
  // the children have put theirs after these
  const int* const order = ints_.data() + f.order;
  const double *const L = memory_.data() + f.L, *const Q = memory_.data() + f.Q;
  for (int i = 0; i < r; ++i) y[i] = (c[order[i]] - dot_few(L + kSize * i, y, i)) / L[kSize * i + i];
  if (f.parent >= 0) {
    const Factor& parent = factors_[at(f.parent)];
    const int* const kept = order + f.most_rows;
    for (int i = 0; i < f.kept; ++i)
      rhs_[parent.values + f.in_parent + at(i)] =
          memory_[f.scale + at(i)] * (c[order[kept[i]]] - dot_few(L + kSize * kept[i], y, r));
  }
  const double* const own = g_.data() + at(f.node) * kSize;
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
    add_row(sum, g1[j], Y + j * f.width, f.width);
    add_row(sum, y[j], G + j * stride + kOwn, f.width);
  }
  for (int i = 0; i < z; ++i) {
    u[i] = gq[r + i];
    for (int j = 0; j < i; ++j) u[i] -= R[j * stride + r + i] * u[j];
    u[i] /= R[i * stride + r + i];
    add_row(sum, u[i], R + i * stride + kOwn, f.width);
  }
  const int* const later = ints_.data() + f.later;
  for (int n = 0; n < f.later_count; ++n)
    for (int i = 0; i < kSize; ++i) g_[at(later[n] * kSize + i)] -= sum[kSize * n + i];
}

/// Finds the unknowns of a node from those of the later ones, and the multipliers of its rows.
void GraphElimination::backward(std::size_t front, double* a, double* lambda) {
  const Factor& f = factors_[front];
  const int r = f.rank, z = kSize - r, stride = kOwn + f.width;
  double *const c = rhs_.data() + f.values, *const y = c + f.most_rows, *const g1 = y + kSize, *const u = g1 + kSize;
  double* const later = scratch_.data();
  std::fill_n(later, f.width, 0.0);
  const int* const nodes = ints_.data() + f.later;
  for (int n = 0; n < f.later_count; ++n) std::copy_n(a + at(nodes[n]) * kSize, kSize, later + kSize * n);
  const double *const Y = memory_.data() + f.Y, *const G = memory_.data() + f.G, *const R = memory_.data() + f.R;
  double own[kSize];  // y, then z
  for (int i = z; i-- > 0;) {
    double x = u[i] - dot_row(R + i * stride + kOwn, later, f.width);
    for (int j = i + 1; j < z; ++j) x -= R[i * stride + r + j] * own[r + j];
    own[r + i] = x / R[i * stride + r + i];
  }
  double pull[kSize];
  for (int i = 0; i < r; ++i) {
    own[i] = y[i] - dot_row(Y + i * f.width, later, f.width);
    pull[i] = dot_few(G + i * stride, y, r) + dot_few(G + i * stride + r, own + r, z) +
              dot_row(G + i * stride + kOwn, later, f.width) - g1[i];
  }
  const double* const Q = memory_.data() + f.Q;
  for (int i = 0; i < kSize; ++i) a[at(f.node) * kSize + at(i)] = dot_few(Q + kOwn * i, own, kSize);

  // multipliers of the front's rows, in place of their right sides: those left to the parent, then those that give y
  const int* const order = ints_.data() + f.order;
  const double* const L = memory_.data() + f.L;
  std::fill_n(c, f.rows, 0.0);
  if (f.parent >= 0) {
    const int* const kept = order + f.most_rows;
    for (int i = 0; i < f.kept; ++i) {
      const double given = memory_[f.scale + at(i)] * rhs_[factors_[at(f.parent)].values + f.in_parent + at(i)];
      c[order[kept[i]]] = given;
      for (int j = 0; j < r; ++j) pull[j] -= L[kSize * kept[i] + j] * given;
    }
  }
  for (int i = r; i-- > 0;) {
    double x = pull[i];
    for (int j = i + 1; j < r; ++j) x -= L[kSize * j + i] * c[order[j]];
    c[order[i]] = x / L[kSize * i + i];
  }
  const int* const numbers = ints_.data() + f.numbers;
  for (int i = 0; i < f.own_rows; ++i) lambda[numbers[i]] = row_scale_[at(numbers[i])] * c[i];
}

void GraphElimination::residual(std::span<const double> f, std::span<const double> k, std::span<const double> a,
                                std::span<const double> lambda) {
  std::copy(f.begin(), f.end(), residual_f_.begin());
  std::copy(k.begin(), k.end(), residual_k_.begin());
  for (const Piece& piece : pieces_) {
    const double* entry = group_entries_.data() + piece.entry;
    const int* const nodes = ints_.data() + piece.node;
    for (int i = 0; i < row_count_[at(piece.group)]; ++i, entry += kSize * piece.nodes) {
      double value = 0.0;
      for (int n = 0; n < piece.nodes; ++n) value += dot_few(entry + kSize * n, a.data() + nodes[n] * kSize, kSize);
      double pull = -value;
      if (piece.first_row >= 0) {
        residual_k_[at(piece.first_row + i)] -= value;
        pull = lambda[at(piece.first_row + i)];
      }
      for (int n = 0; n < piece.nodes; ++n)
        for (int c = 0; c < kSize; ++c) residual_f_[at(nodes[n] * kSize + c)] += pull * entry[kSize * n + c];
    }
  }
}

}  // namespace cardan
