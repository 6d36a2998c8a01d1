#include "cardan/solve/row_newton.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kInner = 0.2;  // of the tolerance: accuracy of Newton's method
constexpr double kStale = 0.1;  // a step that leaves more than this of the merit needs a new matrix
constexpr double kSluggish = 0.1, kStiffer = 10.0, kStiffest = 1e4;  // a round that leaves more makes rho grow
constexpr double kVanishing = 1e-14;                                 // of the largest pivot

/// Subtracts a x from y, from an entry on to the end of the padding.
inline void subtract_from(int first, double a, const double* __restrict x, double* __restrict y, int stride) {
  int i = first;
  for (; i % kLanes != 0; ++i) y[i] -= a * x[i];
  add_row(y + i, -a, x + i, stride - i);
}

/// Factors a square matrix by columns with row exchanges; false where a pivot vanishes. What is behind the n entries
/// of a column is zero.
bool factor_columns(double* A, int n, int stride, int* pivots) {
  double largest = 0.0;
  for (int k = 0; k < n; ++k) {
    double* own = A + stride * k;
    int best = k;
    double pivot = std::abs(own[k]);
    for (int i = k + 1; i < n; ++i)
      if (std::abs(own[i]) > pivot) {
        best = i;
        pivot = std::abs(own[i]);
      }
    pivots[k] = best;
    if (best != k)
      for (int j = 0; j < n; ++j) std::swap(A[stride * j + k], A[stride * j + best]);
    largest = std::max(largest, pivot);
    if (!(pivot > kVanishing * largest)) return false;
    const double inverse = 1.0 / own[k];
    for (int i = k + 1; i < n; ++i) own[i] *= inverse;
    for (int j = k + 1; j < n; ++j) subtract_from(k + 1, A[stride * j + k], own, A + stride * j, stride);
  }
  return true;
}

/// Solves with the factors; x is padded as the columns are.
void solve_columns(const double* A, int n, int stride, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int k = 0; k < n; ++k) subtract_from(k + 1, x[k], A + stride * k, x, stride);
  for (int k = n - 1; k >= 0; --k) {
    const double* own = A + stride * k;
    x[k] /= own[k];
    const int whole = k / kLanes * kLanes;
    add_row(x, -x[k], own, whole);
    for (int i = whole; i < k; ++i) x[i] -= x[k] * own[i];
  }
}

}  // namespace

void RowNewton::evaluate(Iterate& x) {
  x.y.resize(x.p.size());
  x.gap.assign(x.p.size(), 0.0);
  for (std::size_t i = 0; i < rows_->blocks(); ++i) {
    const double s = rows_->d(i) / rho_;
    const Block3 y =
        (s * get_place(center_, i) - get_place(x.u, i)).cwiseQuotient(Block3::Constant(s) + rows_->compliance_of(i));
    set_place(i, y, x.y);
    set_place(i, rows_->project(i, y) - get_place(x.p, i), x.gap);
  }
  x.merit = std::sqrt(rows_->typical_d() * rows_->energy(x.gap));
}

/// Finds the mode of each block: 0 where its multipliers do not answer, others as its law has them.
void RowNewton::set_modes(const Iterate& x) {
  modes_.resize(rows_->blocks());
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const Block3 y = get_place(x.y, i);
    const LawBlock& law = rows_->law(i);
    if (law.law == Law::cone)
      modes_[i] = !(y[0] > 0.0) ? 0 : y.tail<2>().norm() > law.bound * y[0] ? 2 : 1;
    else if (law.law == Law::at_least)
      modes_[i] = (y[0] > 0.0 ? 1 : 0) + (y[1] > 0.0 ? 2 : 0) + (y[2] > 0.0 ? 4 : 0);
    else
      modes_[i] = y.norm() > law.bound ? 2 : 1;
  }
}

bool RowNewton::factor(const Iterate& x) {
  ++factorizations_;
  factored_modes_ = modes_;
  factored_rho_ = rho_;
  slopes_.resize(modes_.size());
  active_.clear();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] == 0) continue;
    slopes_[i] = rows_->slope(i, get_place(x.y, i));
    for (int k = 0; k < rows_->rows(i); ++k) active_.push_back(static_cast<int>(kLanes * i) + k);
  }
  const auto n = static_cast<int>(active_.size());
  stride_ = padded(n);
  matrix_.resize(static_cast<std::size_t>(stride_ * stride_));
  pivots_.resize(active_.size());
  for (int c = 0; c < n; ++c) {
    const double* G = rows_->column(active_[static_cast<std::size_t>(c)]);
    double* out = matrix_.data() + stride_ * c;
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      if (modes_[i] == 0) continue;
      const Block3 DG = slopes_[i] * Eigen::Map<const Block3>(G + kLanes * i);
      for (int k = 0; k < rows_->rows(i); ++k) *out++ = DG[k];
    }
    std::fill(out, matrix_.data() + stride_ * (c + 1), 0.0);
  }
  for (int r = 0; r < n; ++r) {
    const auto i = static_cast<std::size_t>(active_[static_cast<std::size_t>(r)] / kLanes);
    matrix_[static_cast<std::size_t>((stride_ + 1) * r)] +=
        rows_->d(i) / rho_ + rows_->compliance_of(i)[active_[static_cast<std::size_t>(r)] % kLanes];
  }
  return factor_columns(matrix_.data(), n, stride_, pivots_.data());
}

/// Replaces P(y) - p by the step of p.
void RowNewton::solve(std::vector<double>& step) {
  // rows that do not answer go to where they belong, and move the others
  trial_u_.assign(step.size(), 0.0);
  for (std::size_t i = 0; i < factored_modes_.size(); ++i)
    if (factored_modes_[i] == 0)
      for (int k = 0; k < rows_->rows(i); ++k) {
        const auto place = static_cast<int>(kLanes * i) + k;
        const double change = step[static_cast<std::size_t>(place)];
        if (change != 0.0) add_row(trial_u_.data(), change, rows_->column(place), rows_->size());
      }
  packed_.clear();
  for (std::size_t i = 0; i < factored_modes_.size(); ++i) {
    if (factored_modes_[i] == 0) continue;
    const Block3 s = Block3::Constant(rows_->d(i) / rho_) + rows_->compliance_of(i);
    const Block3 right = s.cwiseProduct(get_place(step, i)) - slopes_[i] * get_place(trial_u_, i);
    for (int k = 0; k < rows_->rows(i); ++k) packed_.push_back(right[k]);
  }
  const std::size_t n = packed_.size();
  packed_.resize(static_cast<std::size_t>(stride_), 0.0);
  solve_columns(matrix_.data(), static_cast<int>(n), stride_, pivots_.data(), packed_.data());
  for (std::size_t r = 0; r < n; ++r) step[static_cast<std::size_t>(active_[r])] = packed_[r];
}

/// One Newton step, halved while the merit does not fall and taken in any case; false where it needs more than `most`
/// matrices, or is none.
bool RowNewton::improve(Iterate& x, int most) {
  set_modes(x);
  const bool reuse = modes_ == factored_modes_ && rho_ == factored_rho_;
  if (!reuse && factorizations_ >= most) return false;
  if (!reuse && !factor(x)) {
    forget();
    return false;
  }
  step_ = x.gap;
  solve(step_);
  double length = 1.0;
  trial_.p.resize(x.p.size());
  for (int k = 0;; ++k, length *= 0.5) {
    for (std::size_t i = 0; i < x.p.size(); ++i) trial_.p[i] = x.p[i] + length * step_[i];
    rows_->velocities(trial_.p, trial_.u);
    evaluate(trial_);
    if (trial_.merit < x.merit || k == options_->halvings || reuse) break;
  }
  if (reuse && !(trial_.merit < kStale * x.merit)) {
    forget();
    if (!(trial_.merit < x.merit)) return true;  // the same again with a new matrix
  }
  std::swap(x, trial_);
  return std::isfinite(x.merit);
}

double RowNewton::run(const RowSpace& rows, const RowNewtonOptions& options, std::vector<double>& lambda,
                      std::vector<double>& u) {
  rows_ = &rows;
  options_ = &options;
  rho_ = options.rho;
  factorizations_ = 0;
  double best = rows.residual(lambda, u);
  if (best < options.tolerance) return best;
  center_ = now_.p = lambda;
  now_.u = u;
  bool within =
      false;  // the tolerance: then one more round, with the matrix at hand, so that the next step starts well
  for (int round = 0; round < options.rounds; ++round) {
    evaluate(now_);
    const double goal = std::max(kInner * options.tolerance, 0.01 * std::min(now_.merit, best));
    bool sound = true;
    for (int step = 0; step < options.inner && (within ? step == 0 : now_.merit > goal) && sound; ++step)
      sound = improve(now_, within ? 0 : options.factorizations);
    for (std::size_t i = 0; i < rows.blocks(); ++i) set_place(i, rows.project(i, get_place(now_.p, i)), center_);
    now_.p = center_;
    rows.velocities(center_, now_.u);
    const double residual = rows.residual(center_, now_.u);
    if (!(residual < best)) break;  // the modes were far from final
    if (residual > kSluggish * best) rho_ = std::max(rho_, std::min(kStiffer * rho_, kStiffest));
    best = residual;
    lambda = center_;
    u = now_.u;
    if (within || !sound) break;
    within = best < options.tolerance;
  }
  return best;
}

}  // namespace cardan
