#include "cardan/integrate/internal/newton_system.hpp"

#include <limits>
#include "cardan/math/orthogonal.hpp"

namespace cardan {

namespace {

constexpr double kRank = 1e-10;  // of the scaled system: smaller pivots belong to rows that repeat others

}  // namespace

void StateElimination::linearize(Problem& problem, const Point& at, In<double> a, In<double> lambda, double gain) {
  problem.linearize_states(at, a, lambda, tangent_);
  const Eigen::Index nz = tangent_.rate_by_z.rows();
  inverse_.compute(Eigen::MatrixXd::Identity(nz, nz) - gain * tangent_.rate_by_z);
  gain_ = gain;
}

void StateElimination::add_to(Eigen::MatrixXd& K, Eigen::MatrixXd& D) const {
  K += tangent_.f_by_z * inverse_.solve(gain_ * tangent_.rate_by_q);
  D += tangent_.f_by_z * inverse_.solve(gain_ * tangent_.rate_by_v);
}

Eigen::VectorXd StateElimination::change(const Eigen::VectorXd& r_z, const Eigen::VectorXd& dq,
                                         const Eigen::VectorXd& dv) const {
  return inverse_.solve(gain_ * (tangent_.rate_by_q * dq + tangent_.rate_by_v * dv) - r_z);
}

NewtonSystem::NewtonSystem(Problem& problem)
    : problem_(problem), n_(problem.space().sizes().v), m_(problem.rows()), nz_(problem.space().sizes().z) {}

void NewtonSystem::linearize(const Point& at, In<double> a, In<double> lambda, double gain) {
  Problem::Want want{.H = &H_, .K = &K_, .D = &D_};
  if (m_ > 0) {
    want.J = &J_;
    want.pull_by_q = &pull_by_q_;
    want.rows_by_q = &rows_by_q_;
    want.rows_by_v = &rows_by_v_;
  }
  problem_.linearize(at, a, lambda, want);
  if (nz_ == 0) return;
  states_.linearize(problem_, at, a, lambda, gain);
  states_.add_to(K_, D_);
}

void NewtonSystem::solve(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q, double weight,
                         const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const {
  if (nz_ == 0) return solve_balance(A_x, V, Q, weight, residuals, out);
  const Eigen::VectorXd r_z = residuals.segment(n_, nz_);
  Eigen::VectorXd rest(n_ + m_), change;
  rest.head(n_) = residuals.head(n_) + weight * states_.force(r_z);
  rest.tail(m_) = residuals.tail(m_);
  solve_balance(A_x, V, Q, weight, rest, change);
  out.resize(n_ + nz_ + m_);
  out.head(n_) = change.head(n_);
  out.segment(n_, nz_) = states_.change(r_z, Q * change.head(n_), V * change.head(n_));
  out.tail(m_) = change.tail(m_);
}

void NewtonSystem::solve_balance(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q,
                                 double weight, const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const {
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
  Orthogonal factor;
  factor.set_threshold(kRank);
  factor.compute(whole);
  out = factor.solve(right);
  out.head(n_) = scale.cwiseProduct(out.head(n_));
  out.tail(m_) *= unit_J;
}

}  // namespace cardan
