#include "cardan/integrate/internal/implicit_stage.hpp"

#include "cardan/integrate/internal/tangent_matrices.hpp"

namespace cardan {

ImplicitStage::ImplicitStage(Problem& problem, const IntegratorOptions& options)
    : q0(static_cast<std::size_t>(problem.space().sizes().q)),
      problem_(problem),
      limits_{options.newton_iterations, options.newton_tolerance, 1.0, options.newton_residual},
      system_(problem),
      n_(problem.space().sizes().v),
      nz_(problem.space().sizes().z),
      m_(problem.rows()),
      a_(static_cast<std::size_t>(n_)),
      lambda_(static_cast<std::size_t>(m_)) {
  for (Eigen::VectorXd* vector : {&c, &p, &rate_}) vector->setZero(n_);
  p_z.setZero(nz_);
  for (Eigen::VectorXd* vector : {&unknowns_, &r_}) vector->setZero(n_ + nz_ + m_);
  limits_.measured = static_cast<int>(n_ + nz_);
}

void ImplicitStage::residual(const Eigen::VectorXd& unknowns, State& at, Eigen::VectorXd& r) {
  const StateSpace& space = problem_.space();
  rate_ = (unknowns.head(n_) + c) / g;
  space.increment_velocity(unknowns.data(), rate_.data(), at.v.data());
  space.move(q0.data(), unknowns.data(), at.q.data());
  for (Eigen::Index i = 0; i < n_; ++i)
    a_[static_cast<std::size_t>(i)] = (at.v[static_cast<std::size_t>(i)] - p[i]) / g;
  for (Eigen::Index i = 0; i < m_; ++i) lambda_[static_cast<std::size_t>(i)] = unknowns[n_ + nz_ + i] / (g * g);
  for (Eigen::Index i = 0; i < nz_; ++i) at.z[static_cast<std::size_t>(i)] = unknowns[n_ + i] / limits_.scale;
  problem_.residual({t, at}, a_, lambda_, Out<double>(r.data(), static_cast<int>(n_)),
                    Out<double>(r.data() + n_ + nz_, static_cast<int>(m_)));
  r *= g * g;
  if (nz_ > 0) {
    const Eigen::Map<const Eigen::VectorXd> z(at.z.data(), nz_);
    problem_.rates({t, at}, Out<double>(r.data() + n_, static_cast<int>(nz_)));
    r.segment(n_, nz_) = limits_.scale * (z - p_z - g * r.segment(n_, nz_));
  }
  ++evaluations;
}

void ImplicitStage::correction(const Eigen::VectorXd& unknowns, const State& at, const Eigen::VectorXd& r,
                               Eigen::VectorXd& change) {
  const Eigen::VectorXd x = unknowns.head(n_);
  system_.linearize({t, at}, a_, lambda_, g);
  ++evaluations;
  // dv = V dx / g, da = V dx / g^2, and the configuration moves by T dx
  tangent_matrix(problem_.space(), x, T_);
  tangent_derivative(problem_.space(), x, x + c, V_);
  V_ += T_;
  if (nz_ == 0) return system_.solve(V_ / (g * g), V_ / g, T_, g * g, r, change);
  Eigen::VectorXd residuals = r;
  residuals.segment(n_, nz_) /= limits_.scale;
  system_.solve(V_ / (g * g), V_ / g, T_, g * g, residuals, change);
  change.segment(n_, nz_) *= limits_.scale;
}

bool ImplicitStage::solve(Eigen::VectorXd& x, State& out) {
  const Eigen::Map<const Eigen::VectorXd> q(q0.data(), static_cast<Eigen::Index>(q0.size()));
  limits_.scale = x.lpNorm<Eigen::Infinity>() + 1e-3 * (1.0 + q.lpNorm<Eigen::Infinity>());
  for (Eigen::Index i = 0; i < nz_; ++i) unknowns_[n_ + i] = limits_.scale * out.z[static_cast<std::size_t>(i)];
  unknowns_.head(n_) = x;  // the multipliers of the last solution are the first guess of the next
  const bool solved = newton(
      limits_, [&](const Eigen::VectorXd& at, Eigen::VectorXd& r) { residual(at, out, r); },
      [&](const Eigen::VectorXd& at, const Eigen::VectorXd& r, Eigen::VectorXd& d) { correction(at, out, r, d); },
      unknowns_, r_);
  x = unknowns_.head(n_);
  if (!solved) unknowns_.setZero();
  return solved;
}

int ImplicitStage::worst() const {
  Eigen::Index i = 0;
  if (n_ > 0) r_.head(n_).cwiseAbs().maxCoeff(&i);
  return static_cast<int>(i);
}

}  // namespace cardan
