// The linear system of Newton's method for a problem with constraints:
//   [A -J'; B 0] (dx, dmu) = -(r, s),
// A and B the derivatives of the balance of forces and of the rows. Where rows repeat one another the multipliers of
// least norm are found.
#pragma once

#include "cardan/integrate/problem.hpp"

namespace cardan {

/// What an implicit method asks of a problem at one point, and the solution of the system made of it.
class NewtonSystem {
 public:
  explicit NewtonSystem(Problem& problem);

  /// Linearizes the problem at constant a and lambda.
  void linearize(const Point& at, In<double> a, In<double> lambda);
  /// Solves for a change of the unknown x with da = A_x dx, dv = V dx, dq = Q dx, all scaled by `weight`; r and s are
  /// the residuals, stacked, and out is (dx, dmu).
  void solve(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q, double weight,
             const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const;

 private:
  Problem& problem_;
  const int n_, m_;
  Eigen::MatrixXd H_, K_, D_, J_, pull_by_q_, rows_by_q_, rows_by_v_;
};

}  // namespace cardan
