#include "cardan/solve/velocity_program.hpp"

#include "cardan/solve/lcp.hpp"
#include "cardan/solve/rank_tolerance.hpp"

namespace cardan {

bool VelocityProgram::prepare(const Eigen::MatrixXd& M, RowsOfProgram rows) {
  rows_ = std::move(rows);
  factor_.compute(M);
  if (factor_.info() != Eigen::Success) return false;
  G_response_ = factor_.solve(rows_.G.transpose());
  C_response_ = factor_.solve(rows_.C.transpose());
  C_lambda_.setZero(rows_.G.rows(), rows_.C.rows());
  if (rows_.G.rows() > 0) {
    schur_.set_threshold(kRankTolerance);
    schur_.compute(rows_.G * G_response_);
    C_lambda_ = -schur_.solve(rows_.G * C_response_);
    C_response_ += G_response_ * C_lambda_;
  }
  A_ = rows_.C * C_response_;
  return true;
}

bool VelocityProgram::solve(const Eigen::VectorXd& f) {
  v_ = factor_.solve(f);
  lambda_.resize(rows_.G.rows());
  if (rows_.G.rows() > 0) {
    lambda_ = schur_.solve(rows_.g - rows_.G * v_);
    v_ += G_response_ * lambda_;
  }
  z_.resize(rows_.C.rows());
  if (rows_.C.rows() == 0) return true;
  const LcpSolution contact = solve_lcp(A_, rows_.C * v_ - rows_.c);
  z_ = contact.z;
  v_ += C_response_ * z_;
  lambda_ += C_lambda_ * z_;
  return contact.status == LcpSolution::Status::solved;
}

}  // namespace cardan
