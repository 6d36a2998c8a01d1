// Factors a symmetric, positive definite matrix on the branches of a tree, M = L'L without fill: M_ij differs from zero
// only where one of i and j is an ancestor of the other (parent[i] < i; Featherstone, tables 6.3 and 6.5). Row i keeps
// the entries of its path packed, from the root to i itself. The path of an ancestor begins like that of its
// descendants, so eliminating k,
//   L_kk = sqrt(M_kk),  L_kp = M_kp / L_kk,  M_a. -= L_ka L_k.  for all ancestors a,
// works on contiguous numbers. A dense matrix is a tree without branches.
#pragma once

#include <Eigen/Dense>

#include <span>
#include <vector>

namespace cardan {

class BranchFactor {
 public:
  /// Factors M, of which the lower triangle is read. No parents: M is dense. False where M is not positive definite.
  bool factor(const Eigen::MatrixXd& M, std::span<const int> parent);

  int size() const { return static_cast<int>(first_.size()) - 1; }
  /// Ancestors of a velocity from the root on, last itself.
  std::span<const int> path(int i) const { return {path_.data() + begin(i), begin(i + 1) - begin(i)}; }
  /// The entries of M on the path of i.
  std::span<const double> mass(int i) const { return {mass_.data() + begin(i), begin(i + 1) - begin(i)}; }

  /// out = M x.
  void multiply(const double* x, double* out) const;
  /// x = L^-T x.
  void solve_upper(double* x) const;
  /// x = L^-1 x.
  void solve_lower(double* x) const;
  /// x = L^-T x for four vectors at once, entry k of the first at x[4 k] and so on, zero behind `last`; returns the sum
  /// of their squares.
  double solve_upper_four(double* x, int last) const;
  /// out = L, dense.
  void copy_to(Eigen::Ref<Eigen::MatrixXd> out) const;

 private:
  std::size_t begin(int i) const { return first_[static_cast<std::size_t>(i)]; }
  void set_paths(int n, std::span<const int> parent);

  std::vector<int> parent_, path_;
  std::vector<std::size_t> first_{0};
  std::vector<double> mass_, L_;
};

}  // namespace cardan
