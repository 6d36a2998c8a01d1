#include "cardan/integrate/newton_system.hpp"

#include <limits>

namespace cardan {

namespace {

constexpr double kRank = 1e-10;  // of the scaled system: smaller pivots belong to rows that repeat others

}  // namespace

NewtonSystem::NewtonSystem(Problem& problem) : problem_(problem), n_(problem.space().sizes().v), m_(problem.rows()) {}

void NewtonSystem::linearize(const Point& at, In<double> a, In<double> lambda) {
  Problem::Want want{.H = &H_, .K = &K_, .D = &D_};
  if (m_ > 0) {
    want.J = &J_;
    want.pull_by_q = &pull_by_q_;
    want.rows_by_q = &rows_by_q_;
    want.rows_by_v = &rows_by_v_;
  }
  problem_.linearize(at, a, lambda, want);
}

void NewtonSystem::solve(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q, double weight,
                         const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const {
  const Eigen::MatrixXd A = weight * (H_ * A_x - D_ * V - (m_ > 0 ? Eigen::MatrixXd(K_ + pull_by_q_) : K_) * Q);
  if (m_ == 0) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(A);
    const auto pivots = factor.matrixLU().diagonal().cwiseAbs();
    const bool regular = n_ == 0 || pivots.minCoeff() > 1e-14 * pivots.maxCoeff();
    out = -factor.solve(residuals);
    if (!regular) out.setConstant(std::numeric_limits<double>::quiet_NaN());  // no solution, or many
    return;
  }
  const Eigen::MatrixXd B = weight * (J_ * A_x + rows_by_v_ * V + rows_by_q_ * Q);
  // unknowns and equations in units that make the diagonal of A one; one unit for all multipliers
  const Eigen::VectorXd scale = A.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled_J = J_ * scale.asDiagonal(), scaled_B = B * scale.asDiagonal();
  const double unit_J = 1.0 / std::max(scaled_J.norm(), 1e-300), unit_B = 1.0 / std::max(scaled_B.norm(), 1e-300);
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n_ + m_, n_ + m_);
  whole.topLeftCorner(n_, n_) = scale.asDiagonal() * A * scale.asDiagonal();
  whole.topRightCorner(n_, m_) = -unit_J * scaled_J.transpose();
  whole.bottomLeftCorner(m_, n_) = unit_B * scaled_B;
  Eigen::VectorXd right(n_ + m_);
  right.head(n_) = -scale.cwiseProduct(residuals.head(n_));
  right.tail(m_) = -unit_B * residuals.tail(m_);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(kRank);
  factor.compute(whole);
  out = factor.solve(right);
  out.head(n_) = scale.cwiseProduct(out.head(n_));
  out.tail(m_) *= unit_J;
}

}  // namespace cardan
