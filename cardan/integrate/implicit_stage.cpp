#include "cardan/integrate/implicit_stage.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/integrate/tangent_differences.hpp"
#include "cardan/integrate/tangent_matrices.hpp"

namespace cardan {

ImplicitStage::ImplicitStage(Dynamics& dynamics, const IntegratorOptions& options)
    : q0(static_cast<std::size_t>(dynamics.model().nq())),
      dynamics_(dynamics),
      limits_{options.newton_iterations, options.newton_tolerance, 1.0, options.newton_residual},
      a_(static_cast<std::size_t>(dynamics.model().nv())),
      balance_(options.newton_residual > 0.0),
      w_(dynamics.model()) {
  const int n = dynamics.model().nv();
  for (Eigen::VectorXd* vector : {&c, &p, &f_, &r_, &rate_, &raw_}) vector->setZero(n);
  for (Eigen::MatrixXd* matrix : {&M_, &K_, &D_, &T_, &V_}) matrix->setZero(n, n);
}

void ImplicitStage::residual(const Eigen::VectorXd& x, State& at, Eigen::VectorXd& r) {
  const Model& model = dynamics_.model();
  rate_ = (x + c) / g;
  increment_velocity(model, x.data(), rate_.data(), at.v.data());
  integrate(model, q0.data(), x.data(), 1.0, at.q.data());
  dynamics_.acceleration(t, at.q, at.v, a_);
  ++evaluations;
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    r[i] = g * (at.v[k] - p[i] - g * a_[k]);
  }
  if (!balance_) return;
  linearize(at);
  raw_ = r;
  r = M_ * raw_;
}

void ImplicitStage::linearize(const State& at) {
  dynamics_.linearize(t, at.q, at.v, M_, f_, K_, D_);
  ++evaluations;
}

/// M r grows by (dM/dq) r as well: the derivative goes into K.
void ImplicitStage::add_mass_derivative(const State& at) {
  const Eigen::Index n = raw_.size();
  Eigen::MatrixXd M(n, n), by_q = Eigen::MatrixXd::Zero(n, n), by_v = by_q;
  add_tangent_differences(
      dynamics_.model(),
      [&](In<double> q, In<double>, Out<double> out) {
        mass_matrix(dynamics_.model(), w_, q, M);
        Eigen::Map<Eigen::VectorXd>(out.data(), n) = M * raw_;
      },
      at.q, at.v, by_q, by_v);
  K_ -= by_q / (g * g);
}

void ImplicitStage::correction(const Eigen::VectorXd& x, const State& at, const Eigen::VectorXd& r,
                               Eigen::VectorXd& dx) {
  if (balance_)
    add_mass_derivative(at);
  else
    linearize(at);
  // dv = V dx / g, and the configuration moves by T dx
  tangent_matrix(dynamics_.model(), x, T_);
  tangent_derivative(dynamics_.model(), x, x + c, V_);
  V_ += T_;
  dx = -(M_ * V_ - g * (D_ * V_) - (g * g) * (K_ * T_)).partialPivLu().solve(balance_ ? r : Eigen::VectorXd(M_ * r));
}

bool ImplicitStage::solve(Eigen::VectorXd& x, State& out) {
  r_.resize(x.size());
  const Eigen::Map<const Eigen::VectorXd> q(q0.data(), static_cast<Eigen::Index>(q0.size()));
  limits_.scale = x.lpNorm<Eigen::Infinity>() + 1e-3 * (1.0 + q.lpNorm<Eigen::Infinity>());
  return newton(
      limits_, [&](const Eigen::VectorXd& at, Eigen::VectorXd& r) { residual(at, out, r); },
      [&](const Eigen::VectorXd& at, const Eigen::VectorXd& r, Eigen::VectorXd& dx) { correction(at, out, r, dx); }, x,
      r_);
}

int ImplicitStage::worst() const {
  Eigen::Index i = 0;
  if (r_.size() > 0) r_.cwiseAbs().maxCoeff(&i);
  return static_cast<int>(i);
}

}  // namespace cardan
