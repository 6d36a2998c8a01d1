#include "cardan/integrate/internal/bdf.hpp"

#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include <utility>

namespace cardan {

namespace {
Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
}  // namespace

Bdf::Bdf(int order, Problem& problem, const IntegratorOptions& options)
    : Stepper(order == 1 ? "bdf1" : "bdf2", problem, options, Chart{true}),
      order_(order),
      stage_(problem, options),
      x_(problem.space().sizes().v),
      before_(state_),
      middle_(state_) {}

void Bdf::start(double t, const State& state, double previous_t, const State& previous) {
  detail::check_size("start", "previous q", space().sizes().q, static_cast<int>(previous.q.size()));
  detail::check_size("start", "previous v", space().sizes().v, static_cast<int>(previous.v.size()));
  if (!(previous_t < t))
    throw std::invalid_argument(fmt::format("start: previous_t must be before t = {}, found {}", t, previous_t));
  Stepper::start(t, state);
  detail::check_size("start", "previous z", space().sizes().z, static_cast<int>(previous.z.size()));
  before_ = previous;
  space().normalize(before_.q.data());
  known_step_ = t - previous_t;
}

void Bdf::solve(double t, State& out) {
  stage_.t = t;
  const bool solved = stage_.solve(x_, out);
  evaluations_ += std::exchange(stage_.evaluations, 0);
  if (solved) return;
  explain(t, out);
  fail(t, space().name_of_velocity(stage_.worst()), "Newton's method does not converge");
}

void Bdf::backward_euler(double h, double t1) {
  stage_.g = h;
  stage_.c.setZero();
  stage_.p = vector(state_.v);
  stage_.p_z = vector(state_.z);
  next_.z = state_.z;
  x_ = h * vector(state_.v);
  solve(t1, next_);
}

void Bdf::two_step(double h, double t1) {
  stage_.g = 2.0 / 3.0 * h;
  space().difference(state_.q.data(), before_.q.data(), stage_.c.data());
  stage_.c /= 3.0;
  stage_.p = (4.0 * vector(state_.v) - vector(before_.v)) / 3.0;
  stage_.p_z = (4.0 * vector(state_.z) - vector(before_.z)) / 3.0;
  next_.z = state_.z;
  x_ = h * vector(state_.v);
  solve(t1, next_);
}

void Bdf::diagonally_implicit(double h, double t1) {
  constexpr double kGamma = 1.0 - 1.0 / std::numbers::sqrt2, kRatio = (1.0 - kGamma) / kGamma;
  stage_.g = kGamma * h;
  stage_.c.setZero();
  stage_.p = vector(state_.v);
  stage_.p_z = vector(state_.z);
  middle_.z = state_.z;
  x_ = stage_.g * vector(state_.v);
  solve(time_ + stage_.g, middle_);
  stage_.c = -kRatio * x_;
  stage_.p = vector(state_.v) + kRatio * (vector(middle_.v) - vector(state_.v));
  stage_.p_z = vector(state_.z) + kRatio * (vector(middle_.z) - vector(state_.z));
  next_.z = middle_.z;
  x_ = h * vector(state_.v);
  solve(t1, next_);
}

void Bdf::advance(double h, double t1) {
  require_finite(time_, state_, state_.v);
  stage_.q0 = state_.q;
  if (order_ == 1) {
    backward_euler(h, t1);
  } else if (std::abs(h - known_step_) <= 1e-9 * h) {
    two_step(h, t1);
  } else {
    diagonally_implicit(h, t1);
  }
  before_ = state_;
  known_step_ = h;
}

}  // namespace cardan
