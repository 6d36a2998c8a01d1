#include "cardan/solve/branch_factor.hpp"

#include "cardan/solve/padded_rows.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

void BranchFactor::set_paths(int n, std::span<const int> parent) {
  if (n == size() && std::equal(parent.begin(), parent.end(), parent_.begin(), parent_.end())) return;
  parent_.assign(parent.begin(), parent.end());
  first_.assign(1, 0);
  path_.clear();
  for (int i = 0; i < n; ++i) {
    const int above = parent.empty() ? i - 1 : parent[static_cast<std::size_t>(i)];
    if (above >= 0)
      for (std::size_t k = begin(above), end = begin(above + 1); k < end; ++k) path_.push_back(path_[k]);
    path_.push_back(i);
    first_.push_back(path_.size());
  }
  mass_.resize(path_.size());
  L_.resize(path_.size());
}

bool BranchFactor::factor(const Eigen::MatrixXd& M, std::span<const int> parent) {
  const auto n = static_cast<int>(M.rows());
  set_paths(n, parent);
  for (int i = 0; i < n; ++i)
    for (std::size_t k = begin(i); k < begin(i + 1); ++k) mass_[k] = M(i, path_[k]);
  std::copy(mass_.begin(), mass_.end(), L_.begin());
  bool definite = true;
  for (int k = n - 1; k >= 0; --k) {
    double* row = L_.data() + begin(k);
    const std::size_t depth = begin(k + 1) - begin(k) - 1;
    definite &= row[depth] > 0.0;
    const double root = std::sqrt(row[depth]);
    row[depth] = root;
    const double inverse = 1.0 / root;
    for (std::size_t p = 0; p < depth; ++p) row[p] *= inverse;
    for (std::size_t a = 0; a < depth; ++a) {
      double* above = L_.data() + begin(path_[begin(k) + a]);
      for (std::size_t p = 0; p <= a; ++p) above[p] -= row[a] * row[p];
    }
  }
  return definite;
}

void BranchFactor::multiply(const double* x, double* out) const {
  for (int i = 0; i < size(); ++i) {
    const std::size_t own = begin(i + 1) - 1;
    double sum = mass_[own] * x[i];
    for (std::size_t k = begin(i); k < own; ++k) {
      sum += mass_[k] * x[path_[k]];
      out[path_[k]] += mass_[k] * x[i];
    }
    out[i] = sum;
  }
}

void BranchFactor::solve_upper(double* x) const {
  for (int i = size() - 1; i >= 0; --i) {
    const std::size_t own = begin(i + 1) - 1;
    const double y = x[i] / L_[own];
    x[i] = y;
    for (std::size_t k = begin(i); k < own; ++k) x[path_[k]] -= L_[k] * y;
  }
}

void BranchFactor::solve_lower(double* x) const {
  for (int i = 0; i < size(); ++i) {
    const std::size_t own = begin(i + 1) - 1;
    double sum = x[i];
    for (std::size_t k = begin(i); k < own; ++k) sum -= L_[k] * x[path_[k]];
    x[i] = sum / L_[own];
  }
}

double BranchFactor::solve_upper_four(double* x, int last) const {
  Quad total;
  for (int i = last; i >= 0; --i) {
    double* own = x + kLanes * i;
    if (own[0] == 0.0 && own[1] == 0.0 && own[2] == 0.0 && own[3] == 0.0) continue;
    const std::size_t end = begin(i + 1) - 1;
    const double inverse = 1.0 / L_[end];
    const Quad y = Quad::load(own) * Quad(inverse);
    y.store(own);
    total += y * y;
    for (std::size_t k = begin(i); k < end; ++k) {
      double* const above = x + kLanes * path_[k];
      (Quad::load(above) - Quad(L_[k]) * y).store(above);
    }
  }
  return (total[0] + total[1]) + (total[2] + total[3]);
}

void BranchFactor::copy_to(Eigen::Ref<Eigen::MatrixXd> out) const {
  out.setZero();
  for (int i = 0; i < size(); ++i)
    for (std::size_t k = begin(i); k < begin(i + 1); ++k) out(i, path_[k]) = L_[k];
}

}  // namespace cardan
