#include "cardan/integrate/generalized_alpha.hpp"

#include "cardan/integrate/tangent_matrices.hpp"

namespace cardan {

GeneralizedAlpha::GeneralizedAlpha(Dynamics& dynamics, const IntegratorOptions& options)
    : Stepper("generalized_alpha", dynamics, options, Chart{true}),
      am_((2.0 * options.spectral_radius - 1.0) / (options.spectral_radius + 1.0)),
      af_(options.spectral_radius / (options.spectral_radius + 1.0)),
      gamma_(0.5 + af_ - am_),
      beta_(0.25 * (gamma_ + 0.5) * (gamma_ + 0.5)),
      a_(velocities(dynamics.model())) {
  const int n = dynamics.model().nv();
  for (Eigen::VectorXd* vector : {&a0_, &s0_, &a1_, &s1_, &x_, &r_, &f_}) vector->setZero(n);
  for (Eigen::MatrixXd* matrix : {&M_, &K_, &D_, &T_}) matrix->setZero(n, n);
}

void GeneralizedAlpha::place(double h, const Eigen::VectorXd& a1) {
  const Eigen::Map<const Eigen::VectorXd> v0(state_.v.data(), x_.size());
  s1_ = ((1.0 - af_) * a1 + af_ * a0_ - am_ * s0_) / (1.0 - am_);
  x_ = h * (v0 + h * ((0.5 - beta_) * s0_ + beta_ * s1_));
  Eigen::Map<Eigen::VectorXd>(next_.v.data(), x_.size()) = v0 + h * ((1.0 - gamma_) * s0_ + gamma_ * s1_);
  integrate(model(), state_.q.data(), x_.data(), 1.0, next_.q.data());
}

void GeneralizedAlpha::correct(double h, double t1, const Eigen::VectorXd& r, Eigen::VectorXd& da) {
  dynamics_.linearize(t1, next_.q, next_.v, M_, f_, K_, D_);
  ++evaluations_;
  tangent_matrix(model(), x_, T_);
  const double smoothing = h * (1.0 - af_) / (1.0 - am_);
  da = -(M_ - (smoothing * gamma_) * D_ - (smoothing * h * beta_) * (K_ * T_)).partialPivLu().solve(M_ * r);
}

void GeneralizedAlpha::advance(double h, double t1) {
  const Eigen::Map<const Eigen::VectorXd> a(a_.data(), x_.size());
  if (!accelerations_known_) {
    evaluate(time_, state_.q, state_.v, a_);
    require_finite(time_, state_, a_);
    a0_ = s0_ = a;
    accelerations_known_ = true;
  }
  a1_ = a0_;
  const NewtonLimits limits{options_.newton_iterations, options_.newton_tolerance, 1.0 + a0_.lpNorm<Eigen::Infinity>()};
  const bool converged = newton(
      limits,
      [&](const Eigen::VectorXd& a1, Eigen::VectorXd& r) {
        place(h, a1);
        evaluate(t1, next_.q, next_.v, a_);
        r = a1 - a;
      },
      [&](const Eigen::VectorXd&, const Eigen::VectorXd& r, Eigen::VectorXd& da) { correct(h, t1, r, da); }, a1_, r_);
  if (!converged) {
    require_finite(t1, next_, a_);
    Eigen::Index worst = 0;
    r_.cwiseAbs().maxCoeff(&worst);
    fail(t1, model().joint_name(model().body_of_dof(static_cast<int>(worst))), "Newton's method does not converge");
  }
  interpolate_step(h);
  a0_ = a1_;
  s0_ = s1_;
}

}  // namespace cardan
