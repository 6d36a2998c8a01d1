// The complete orthogonal decomposition of a dense matrix, A P = Q [R 0; 0 0] Z: its rank, and solutions of least
// squares of least norm. Compiled once: every source that names Eigen's own template instantiates and optimizes it
// anew, for seconds.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

namespace cardan {

class Orthogonal {
 public:
  Orthogonal() = default;
  explicit Orthogonal(const Eigen::MatrixXd& A) { compute(A); }

  /// Pivots below this part of the largest count as zero; before compute().
  void set_threshold(double threshold) { factor_.setThreshold(threshold); }
  void compute(const Eigen::MatrixXd& A);
  Eigen::Index rank() const { return rank_; }

  /// Solves min |A x - b|, with x of least norm; a vector or several columns.
  template <class B>
  auto solve(const Eigen::MatrixBase<B>& b) const {
    if constexpr (B::ColsAtCompileTime == 1)
      return solve_vector(b);
    else
      return solve_matrix(b);
  }
  /// The same of A'.
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;
  /// Computes an orthonormal basis of what A' maps to zero, by columns.
  Eigen::MatrixXd left_kernel() const;

 private:
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve_matrix(const Eigen::MatrixXd& B) const;

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
  Eigen::Index rank_ = 0;
};

}  // namespace cardan
