#include "cardan/integrate/linearly_implicit_euler.hpp"

namespace cardan {

LinearlyImplicitEuler::LinearlyImplicitEuler(Dynamics& dynamics, const IntegratorOptions& options)
    : Stepper("linearly_implicit_euler", dynamics, options, Chart{true}), dv_(velocities(dynamics.model())) {
  const int n = dynamics.model().nv();
  for (Eigen::MatrixXd* matrix : {&M_, &K_, &D_}) matrix->setZero(n, n);
  f_.setZero(n);
}

void LinearlyImplicitEuler::advance(double h, double t1) {
  using Eigen::VectorXd;
  dynamics_.linearise(t1, state_.q, state_.v, M_, f_, K_, D_);
  ++evaluations_;
  const Eigen::Map<const VectorXd> v0(state_.v.data(), f_.size());
  Eigen::Map<VectorXd>(dv_.data(), f_.size()) =
      (M_ - h * D_ - (h * h) * K_).partialPivLu().solve(h * (f_ + h * (K_ * v0)));
  require_finite(t1, state_, dv_);
  for (std::size_t i = 0; i < dv_.size(); ++i) next_.v[i] = state_.v[i] + dv_[i];
  integrate(model(), state_.q.data(), next_.v.data(), h, next_.q.data());
  interpolate_step(h);
}

}  // namespace cardan
