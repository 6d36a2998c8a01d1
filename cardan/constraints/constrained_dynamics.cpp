#include "cardan/constraints/constrained_dynamics.hpp"

#include "cardan/algorithms/external_forces.hpp"
#include "cardan/algorithms/jacobian_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cardan {

namespace {
constexpr int kMostProjections = 20;
constexpr double kNearlySingular = 1e-8;  // pivots of the tree: beyond, another method is more exact
constexpr double kRoundingAlone = 1e-11;  // beyond, a result may be off by 1e-5 and more
}  // namespace

ConstrainedDynamics::ConstrainedDynamics(ConstraintSet set, ConstraintMethod method)
    : set_(std::move(set)),
      method_(method),
      solver_(make_constraint_solver(method, set_)),
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
  solver_->forward_dynamics(q, v, set_, tau, k_, a, lambda_);
  if (choose_again()) solver_->forward_dynamics(q, v, set_, tau, k_, a, lambda_);
  if (!refusal_.empty()) std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN());
}

bool ConstrainedDynamics::choose_again() {
  refusal_.clear();
  const auto [pivot, velocity] = solver_->regularity();
  if (pivot > kNearlySingular) return false;
  if (method_ == ConstraintMethod::automatic) {
    quick_ = std::exchange(solver_, make_constraint_solver(ConstraintMethod::sparse, set_));
    if (expected_rank_ >= 0) solver_->expect_rank(expected_rank_);
    return true;
  }
  if (!(pivot > kRoundingAlone))
    refusal_ = fmt::format(
        "joint \"{}\": without its loops the mechanism has next to no inertia here ({:.1g} of that of the bodies next "
        "to it), "
        "which constraint_method \"{}\" inverts: choose \"automatic\", \"direct\" or \"sparse\"",
        model().joint_name(model().body_of_dof(velocity)), pivot,
        constraint_method_names()[static_cast<std::size_t>(method_)]);
  return false;
}

void ConstrainedDynamics::correct(In<double> q) {
  force_.setZero();
  solver_->solve(q, set_, force_, k_, change_, impulse_);
  if (choose_again()) solver_->solve(q, set_, force_, k_, change_, impulse_);
}

void ConstrainedDynamics::reset() {
  set_.reset_warm_start();
  if (quick_) solver_ = std::move(quick_);
}

void ConstrainedDynamics::expect_rank(int rank) {
  expected_rank_ = rank;
  for (ConstraintSolver* solver : {solver_.get(), quick_.get()})
    if (solver) solver->expect_rank(rank);
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
    k_ = -set_.gap();
    correct(at);
    integrate(model(), q.data(), change_.data(), 1.0, q.data());
  }
  return position_error(t, at) <= enough;
}

void ConstrainedDynamics::project_velocities(double t, In<double> q, Out<double> v) {
  set_.evaluate(t, q, In<double>(v.data(), v.size()));
  k_ = -set_.drift();
  correct(q);
  for (int i = 0; i < v.size(); ++i) v[i] += change_[i];
}

void ConstrainedDynamics::impulse_response(double t, In<double> q, In<double> u, Out<double> dv,
                                           std::span<const ForceVector<double>> impulses) {
  detail::check_size("impulse_response", "q", model().nq(), q.size());
  detail::check_size("impulse_response", "u", model().nv(), u.size());
  detail::check_size("impulse_response", "dv", model().nv(), dv.size());
  detail::check_external(model(), "impulse_response", impulses);
  set_.evaluate(t, q, at_rest_);
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
  if (choose_again()) solver_->solve(q, set_, force_, k_, dv, impulse_);
}

}  // namespace cardan
