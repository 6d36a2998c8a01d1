// A LawProblem as dense matrices between its rows, for the friction methods that are offered by name. With the equality
// rows eliminated (whitened rows Jw, Jw M^-1 Jw' = 1, see PreparedLaws) the velocities of all other rows are
//   u = A lambda + u_free,  A = J P J',  P = M^-1 - M^-1 Jw' Jw M^-1,  u_free = J v_E + b,
// where v_E is v_free projected onto the equality rows in the metric of M. Rows of equality blocks are zero in A.
#pragma once

#include "cardan/solve/law_solver.hpp"

namespace cardan {

class DenseLaws {
 public:
  /// The problem must outlive it.
  explicit DenseLaws(const LawProblem& problem);

  const Eigen::MatrixXd& A() const { return A_; }
  const Eigen::VectorXd& u_free() const { return u_free_; }
  /// Computes the bound of the friction of a block from multipliers of all its loads: mu lambda_n, or a ball's radius.
  double friction_bound(const LawBlock& block, const Eigen::VectorXd& lambda) const;
  /// Completes multipliers to a solution: equality multipliers, velocities, and the residual of the exact laws.
  LawSolution complete(const Eigen::VectorXd& lambda, double tolerance) const;

 private:
  Multipliers with_equalities(const Eigen::VectorXd& lambda) const;

  PreparedLaws laws_;
  Eigen::MatrixXd A_, whitened_response_;  // whitened_response_: Jw M^-1 J'
  Eigen::VectorXd u_free_, whitened_free_;
};

/// Rows (and columns) of a matrix or entries of a vector.
Eigen::MatrixXd select(const Eigen::MatrixXd& A, const std::vector<int>& rows, const std::vector<int>& columns);
Eigen::VectorXd select(const Eigen::VectorXd& x, const std::vector<int>& rows);

}  // namespace cardan
