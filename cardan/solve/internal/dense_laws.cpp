#include "cardan/solve/internal/dense_laws.hpp"

namespace cardan {

DenseLaws::DenseLaws(const LawProblem& problem) {
  laws_.prepare(problem);
  const int rows = problem.rows(), n = problem.velocities();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, n), response(n, rows);
  for (const LawBlock& block : problem.blocks()) {
    if (block.law == Law::equal) continue;
    const auto own = problem.J(block);
    const auto columns = problem.columns(block);
    for (int k = 0; k < block.size; ++k)
      for (int c = 0; c < block.columns; ++c) J(block.first + k, columns[static_cast<std::size_t>(c)]) = own(k, c);
  }
  Eigen::VectorXd x(n);
  for (int row = 0; row < rows; ++row) {
    x = J.row(row).transpose();
    laws_.solve_upper(x);
    laws_.solve_lower(x);
    response.col(row) = x;
  }
  const Eigen::MatrixXd& Jw = laws_.Jw();
  whitened_response_ = Jw * response;
  whitened_free_ = Jw * problem.v_free + laws_.bw();
  A_ = J * response - whitened_response_.transpose() * whitened_response_;
  u_free_ = J * problem.v_free + problem.b - whitened_response_.transpose() * whitened_free_;
  for (const LawBlock& block : problem.blocks()) {
    const Block3 R = compliance(block);
    for (int k = 0; k < block.size; ++k) A_(block.first + k, block.first + k) += R[k];
  }
}

Multipliers DenseLaws::with_equalities(const Eigen::VectorXd& lambda) const {
  return {lambda, -whitened_free_ - whitened_response_ * lambda};
}

double DenseLaws::friction_bound(const LawBlock& block, const Eigen::VectorXd& lambda) const {
  if (block.law == Law::cone) return block.bound * std::max(0.0, lambda[block.first]);
  const Multipliers all = with_equalities(lambda);
  Eigen::VectorXd v;
  laws_.velocity(all, v);
  return laws_.radius(block, all, all.rows, v);
}

LawSolution DenseLaws::complete(const Eigen::VectorXd& lambda, double tolerance) const {
  LawSolution out;
  Multipliers all = with_equalities(lambda);
  out.residual = laws_.residual(all, out.v);
  laws_.expand(all);
  out.lambda = all.rows;
  out.inconsistency = laws_.inconsistency();
  out.solved = out.residual < tolerance;
  out.factorizations = 1;
  return out;
}

Eigen::MatrixXd select(const Eigen::MatrixXd& A, const std::vector<int>& rows, const std::vector<int>& columns) {
  return A(rows, columns);
}

Eigen::VectorXd select(const Eigen::VectorXd& x, const std::vector<int>& rows) { return x(rows); }

}  // namespace cardan
