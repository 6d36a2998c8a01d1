#include "cardan/constraints/constrained_dynamics.hpp"

#include "cardan/algorithms/external_forces.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"

#include <cmath>

namespace cardan {

namespace {
constexpr int kMostProjections = 20;
}

ConstrainedDynamics::ConstrainedDynamics(ConstraintSet set, ConstraintMethod method)
    : set_(std::move(set)),
      solver_(make_constraint_solver(method, set_)),
      chooses_(method == ConstraintMethod::automatic && set_.model().nv() <= kMostCheckedVelocities),
      workspace_(set_.model()),
      force_(set_.model().nv()),
      k_(set_.rows()),
      change_(set_.model().nv()),
      lambda_(set_.rows()),
      impulse_(set_.rows()),
      at_rest_(static_cast<std::size_t>(set_.model().nv())) {}

void ConstrainedDynamics::forward_dynamics(double t, In<double> q, In<double> v, In<double> tau, Out<double> a) {
  detail::check_size("forward_dynamics", "q", model().nq(), q.size());
  detail::check_size("forward_dynamics", "v", model().nv(), v.size());
  detail::check_size("forward_dynamics", "tau", model().nv(), tau.size());
  detail::check_size("forward_dynamics", "a", model().nv(), a.size());
  set_.evaluate(t, q, v);
  k_ = set_.k() - 2.0 * stabilization.alpha * set_.drift() - stabilization.beta * stabilization.beta * set_.gap();
  choose_method(q);
  solver_->forward_dynamics(q, v, set_, tau, k_, a, lambda_);
}

void ConstrainedDynamics::choose_method(In<double> q) {
  if (!chooses_) return;
  chooses_ = false;
  if (singular_velocity(model(), workspace_, q) < 0) return;
  solver_ = make_constraint_solver(ConstraintMethod::sparse, set_);
  if (expected_rank_ >= 0) solver_->expect_rank(expected_rank_);
}

void ConstrainedDynamics::expect_rank(int rank) {
  expected_rank_ = rank;
  solver_->expect_rank(rank);
}

double ConstrainedDynamics::position_error(double t, In<double> q) {
  set_.evaluate(t, q, at_rest_);
  return set_.rows() == 0 ? 0.0 : set_.gap().cwiseAbs().maxCoeff();
}

bool ConstrainedDynamics::project_positions(double t, Out<double> q, double enough) {
  const In<double> at(q.data(), q.size());
  for (int i = 0; i < kMostProjections; ++i) {
    const double error = position_error(t, at);
    if (error <= enough) return true;
    if (!std::isfinite(error)) return false;
    choose_method(at);
    k_ = -set_.gap();
    force_.setZero();
    solver_->solve(at, set_, force_, k_, change_, impulse_);
    integrate(model(), q.data(), change_.data(), 1.0, q.data());
  }
  return position_error(t, at) <= enough;
}

void ConstrainedDynamics::project_velocities(double t, In<double> q, Out<double> v) {
  set_.evaluate(t, q, In<double>(v.data(), v.size()));
  choose_method(q);
  k_ = -set_.drift();
  force_.setZero();
  solver_->solve(q, set_, force_, k_, change_, impulse_);
  for (int i = 0; i < v.size(); ++i) v[i] += change_[i];
}

void ConstrainedDynamics::impulse_response(double t, In<double> q, In<double> u, Out<double> dv,
                                           std::span<const ForceVector<double>> impulses) {
  detail::check_size("impulse_response", "q", model().nq(), q.size());
  detail::check_size("impulse_response", "u", model().nv(), u.size());
  detail::check_size("impulse_response", "dv", model().nv(), dv.size());
  detail::check_external(model(), "impulse_response", impulses);
  set_.evaluate(t, q, at_rest_);
  choose_method(q);
  force_.setZero();
  if (!impulses.empty()) {
    compute_sincos(model(), workspace_, q);
    detail::world_poses(model(), workspace_, q);
    std::vector<ForceVector<double>> on_bodies(impulses.size());  // in their own coordinates
    for (std::size_t i = 1; i < on_bodies.size(); ++i) on_bodies[i] = workspace_.pose[i] * impulses[i];
    jacobian_transpose_product<double>(model(), workspace_, q, on_bodies, Out<double>(force_.data(), model().nv()));
  }
  for (int i = 0; i < u.size(); ++i) force_[i] += u[i];
  k_.setZero();
  solver_->solve(q, set_, force_, k_, dv, impulse_);
}

}  // namespace cardan
