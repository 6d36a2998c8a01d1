// Solves A lambda = b for the multipliers of rows that hold as equations: A = J H^-1 J' is the response of a mechanism
// to unit multipliers, symmetric and positive semi-definite, b what the rows lack. Where rows repeat one another A is
// singular, and the lambda of least norm is found. Knows no mechanism.
#pragma once

#include <Eigen/Dense>

namespace cardan {

class LeastNormSolver {
 public:
  explicit LeastNormSolver(int rows);

  /// Says how many rows are independent where the constraints hold; -1: not known. Between the stages of a step they
  /// hold only nearly, and rows that repeat one another seem to differ a little: the largest so many are then kept.
  void expect_rank(int rank) { expected_ = rank; }
  /// Sets x; only the lower triangle of A is read. False where A cannot tell which rows repeat one another, or would
  /// lose too many digits: its eigenvalues are squares of what the rows themselves show (solve_factor).
  [[nodiscard]] bool solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::VectorXd& b,
                           Eigen::Ref<Eigen::VectorXd> x);
  /// Sets w and x of W'W x = b, W' w = b and W x = w, without squaring: for a right side that A is too rough for.
  void solve_factor(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, Eigen::VectorXd& w,
                    Eigen::Ref<Eigen::VectorXd> x);
  /// How many rows were independent the last time.
  int rank() const { return rank_; }
  /// How far the independent rows were from repeating one another then: their smallest singular value, of the largest.
  double clearance() const { return clearance_; }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum_;
  Eigen::JacobiSVD<Eigen::MatrixXd> singular_values_;
  Eigen::VectorXd in_eigenvectors_;
  int rank_ = 0, expected_ = -1;
  double clearance_ = 1.0;
};

}  // namespace cardan
