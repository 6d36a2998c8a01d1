#include "cardan/integrate/internal/generalized_alpha.hpp"

#include "cardan/integrate/internal/tangent_matrices.hpp"

#include <algorithm>

namespace cardan {

GeneralizedAlpha::GeneralizedAlpha(Problem& problem, const IntegratorOptions& options)
    : Stepper("generalized_alpha", problem, options, Chart{true}),
      am_((2.0 * options.spectral_radius - 1.0) / (options.spectral_radius + 1.0)),
      af_(options.spectral_radius / (options.spectral_radius + 1.0)),
      gamma_(0.5 + af_ - am_),
      beta_(0.25 * (gamma_ + 0.5) * (gamma_ + 0.5)),
      n_(problem.space().sizes().v),
      nz_(problem.space().sizes().z),
      m_(problem.rows()),
      system_(problem),
      a_(state_.v),
      lambda_(static_cast<std::size_t>(m_)) {
  for (Eigen::VectorXd* vector : {&a0_, &s0_, &s1_}) vector->setZero(n_ + nz_);
  x_.setZero(n_);
  for (Eigen::VectorXd* vector : {&unknowns_, &r_}) vector->setZero(n_ + nz_ + m_);
}

void GeneralizedAlpha::evaluate_step(double h, const Eigen::VectorXd& a1) {
  const Eigen::Map<const Eigen::VectorXd> v0(state_.v.data(), n_), z0(state_.z.data(), nz_);
  s1_ = ((1.0 - af_) * a1 + af_ * a0_ - am_ * s0_) / (1.0 - am_);
  x_ = h * (v0 + h * ((0.5 - beta_) * s0_.head(n_) + beta_ * s1_.head(n_)));
  const Eigen::VectorXd gained = h * ((1.0 - gamma_) * s0_ + gamma_ * s1_);
  Eigen::Map<Eigen::VectorXd>(next_.v.data(), n_) = v0 + gained.head(n_);
  Eigen::Map<Eigen::VectorXd>(next_.z.data(), nz_) = z0 + gained.tail(nz_);
  space().move(state_.q.data(), x_.data(), next_.q.data());
}

void GeneralizedAlpha::residual(double t1, const Eigen::VectorXd& unknowns, Eigen::VectorXd& r) {
  std::copy_n(unknowns.data(), n_, a_.begin());
  std::copy_n(unknowns.data() + n_ + nz_, m_, lambda_.begin());
  problem_.residual({t1, next_}, a_, lambda_, Out<double>(r.data(), static_cast<int>(n_)),
                    Out<double>(r.data() + n_ + nz_, static_cast<int>(m_)));
  ++evaluations_;
  if (nz_ == 0) return;
  problem_.rates({t1, next_}, Out<double>(r.data() + n_, static_cast<int>(nz_)));
  r.segment(n_, nz_) = unknowns.segment(n_, nz_) - r.segment(n_, nz_);
}

void GeneralizedAlpha::advance(double h, double t1) {
  if (!accelerations_known_) {
    std::vector<double> rates(static_cast<std::size_t>(n_ + nz_));
    evaluate(time_, state_, rates);
    require_finite(time_, state_, rates);
    a0_ = s0_ = Eigen::Map<const Eigen::VectorXd>(rates.data(), n_ + nz_);
    accelerations_known_ = true;
  }
  unknowns_.head(n_ + nz_) = a0_;
  const NewtonLimits limits{options_.newton_iterations, options_.newton_tolerance, 1.0 + a0_.lpNorm<Eigen::Infinity>(),
                            0.0, static_cast<int>(n_ + nz_)};
  const double smoothing = (1.0 - af_) / (1.0 - am_);  // ds1 / da1
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n_, n_);
  const bool converged = newton(
      limits,
      [&](const Eigen::VectorXd& unknowns, Eigen::VectorXd& r) {
        evaluate_step(h, unknowns.head(n_ + nz_));
        residual(t1, unknowns, r);
      },
      [&](const Eigen::VectorXd&, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
        const double gain = h * smoothing * gamma_;  // of velocities and of z
        system_.linearize({t1, next_}, a_, lambda_, gain);
        ++evaluations_;
        tangent_matrix(space(), x_, T_);
        Eigen::VectorXd residuals = r;
        residuals.segment(n_, nz_) *= gain;
        system_.solve(one, gain * one, (h * h * smoothing * beta_) * T_, 1.0, residuals, change);
        change.segment(n_, nz_) /= gain;
      },
      unknowns_, r_);
  if (!converged) {
    explain(t1, next_);
    Eigen::Index worst = 0;
    r_.head(n_).cwiseAbs().maxCoeff(&worst);
    unknowns_.setZero();
    fail(t1, space().name_of_velocity(static_cast<int>(worst)), "Newton's method does not converge");
  }
  a0_ = unknowns_.head(n_ + nz_);
  s0_ = s1_;
}

}  // namespace cardan
