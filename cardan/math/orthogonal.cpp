#include "cardan/math/orthogonal.hpp"

#include <Eigen/Dense>

namespace cardan {

void Orthogonal::compute(const Eigen::MatrixXd& A) {
  factor_.compute(A);
  rank_ = factor_.rank();
}

Eigen::VectorXd Orthogonal::solve_vector(const Eigen::VectorXd& b) const { return factor_.solve(b); }
Eigen::MatrixXd Orthogonal::solve_matrix(const Eigen::MatrixXd& B) const { return factor_.solve(B); }
Eigen::VectorXd Orthogonal::solve_transposed(const Eigen::VectorXd& b) const { return factor_.transpose().solve(b); }

Eigen::MatrixXd Orthogonal::left_kernel() const {
  const Eigen::MatrixXd Q = factor_.householderQ();
  return Q.rightCols(Q.cols() - rank_);
}

}  // namespace cardan
