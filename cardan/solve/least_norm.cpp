#include "cardan/solve/least_norm.hpp"

namespace cardan {

namespace {

/// Part of the largest eigenvalue of A below which a row repeats others.
constexpr double kSpectrumTolerance = 1e-12;

}  // namespace

LeastNormSolver::LeastNormSolver(int rows) : factor_(rows), spectrum_(rows), in_eigenvectors_(rows) {}

void LeastNormSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::VectorXd& b,
                            Eigen::Ref<Eigen::VectorXd> x) {
  const auto rows = static_cast<int>(A.rows());
  factor_.compute(A);
  rank_ = rows;
  const auto pivots = factor_.matrixLLT().diagonal().array().square();
  const bool may_be_regular = expected_ < 0 || expected_ == rows;
  if (rows == 0 || (may_be_regular && factor_.info() == Eigen::Success &&
                    pivots.minCoeff() > kSpectrumTolerance * pivots.maxCoeff())) {
    x = b;
    factor_.solveInPlace(x);
    return;
  }
  spectrum_.compute(A);
  const auto& values = spectrum_.eigenvalues();
  in_eigenvectors_.noalias() = spectrum_.eigenvectors().transpose() * b;
  for (int i = 0; i < rows; ++i) {
    const bool repeats =
        !(values[i] > kSpectrumTolerance * values[rows - 1]) || (!may_be_regular && i < rows - expected_);
    if (repeats) --rank_;
    in_eigenvectors_[i] = repeats ? 0.0 : in_eigenvectors_[i] / values[i];
  }
  x.noalias() = spectrum_.eigenvectors() * in_eigenvectors_;
}

}  // namespace cardan
