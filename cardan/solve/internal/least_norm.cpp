#include "cardan/solve/internal/least_norm.hpp"

#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Part of the largest eigenvalue of A above which the others are known to ten digits. Below, where it is not known
/// that rows repeat one another, only the rows themselves can tell.
constexpr double kClear = 1e-6;

}  // namespace

LeastNormSolver::LeastNormSolver(int rows) : factor_(rows), spectrum_(rows), in_eigenvectors_(rows) {}

bool LeastNormSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::VectorXd& b,
                            Eigen::Ref<Eigen::VectorXd> x) {
  const auto rows = static_cast<int>(A.rows());
  if (rows > 0 && A.diagonal().maxCoeff() == 0.0) {  // nothing moves
    x.setZero();
    rank_ = 0;
    clearance_ = 1.0;
    return true;
  }
  factor_.compute(A);
  rank_ = rows;
  const auto pivots = factor_.matrixLLT().diagonal().array().square();
  const bool may_be_regular = expected_ < 0 || expected_ == rows;
  if (rows == 0 ||
      (may_be_regular && factor_.info() == Eigen::Success && pivots.minCoeff() > kClear * pivots.maxCoeff())) {
    x = b;
    factor_.solveInPlace(x);
    clearance_ = rows == 0 ? 1.0 : std::sqrt(pivots.minCoeff() / pivots.maxCoeff());
    return true;
  }
  spectrum_.compute(A);
  const auto& values = spectrum_.eigenvalues();
  const double largest = values[rows - 1];
  in_eigenvectors_.noalias() = spectrum_.eigenvectors().transpose() * b;
  for (int i = 0; i < rows; ++i) {
    const bool repeats = !may_be_regular && i < rows - expected_;
    if (!repeats && !(values[i] > kClear * largest)) return false;
    if (repeats) --rank_;
    in_eigenvectors_[i] = repeats ? 0.0 : in_eigenvectors_[i] / values[i];
  }
  x.noalias() = spectrum_.eigenvectors() * in_eigenvectors_;
  clearance_ = rank_ > 0 ? std::sqrt(values[rows - rank_] / largest) : 1.0;
  return true;
}

void LeastNormSolver::solve_factor(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, Eigen::VectorXd& w,
                                   Eigen::Ref<Eigen::VectorXd> x) {
  singular_values_.compute(W, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& values = singular_values_.singularValues();
  const auto most = static_cast<int>(values.size());
  rank_ = expected_ < 0 ? most : std::min(most, expected_);
  clearance_ = rank_ > 0 && values[0] > 0.0 ? values[rank_ - 1] / values[0] : 1.0;
  while (rank_ > 0 && !(values[rank_ - 1] > kRankTolerance * values[0])) --rank_;
  const auto U = singular_values_.matrixU().leftCols(rank_);
  const auto V = singular_values_.matrixV().leftCols(rank_);
  const Eigen::VectorXd along = (V.transpose() * b).cwiseQuotient(values.head(rank_));
  w.noalias() = U * along;
  x.noalias() = V * along.cwiseQuotient(values.head(rank_));
}

}  // namespace cardan
