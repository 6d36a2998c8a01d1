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
  const bool constrained = dynamics_.velocity_rows() > 0;
  if (constrained)
    dynamics_.linearize_freely(t1, state_.q, state_.v, M_, f_, K_, D_);
  else
    dynamics_.linearize(t1, state_.q, state_.v, M_, f_, K_, D_);
  ++evaluations_;
  const Eigen::Map<const VectorXd> v0(state_.v.data(), f_.size());
  Eigen::Map<VectorXd> dv(dv_.data(), f_.size());
  const Eigen::PartialPivLU<Eigen::MatrixXd> implicit(M_ - h * D_ - (h * h) * K_);
  dv = implicit.solve(h * (f_ + h * (K_ * v0)));
  if (constrained) obey(implicit, t1);
  require_finite(t1, state_, dv_);
  for (std::size_t i = 0; i < dv_.size(); ++i) next_.v[i] = state_.v[i] + dv_[i];
  integrate(model(), state_.q.data(), next_.v.data(), h, next_.q.data());
  interpolate_step(h);
}

/// Adds the impulses G' mu that lead to G v1 = g.
void LinearlyImplicitEuler::obey(const Eigen::PartialPivLU<Eigen::MatrixXd>& implicit, double t1) {
  const int n = model().nv(), rows = dynamics_.velocity_rows();
  Eigen::MatrixXd G(rows, n);
  Eigen::VectorXd g(rows);
  dynamics_.velocity_constraints(t1, state_.q, state_.v, G, g);
  Eigen::Map<Eigen::VectorXd> dv(dv_.data(), n);
  const Eigen::Map<const Eigen::VectorXd> v0(state_.v.data(), n);
  const Eigen::MatrixXd answer = implicit.solve(G.transpose());
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> schur(G * answer);
  dv += answer * schur.solve(g - G * (v0 + dv));
}

}  // namespace cardan
