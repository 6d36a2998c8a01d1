#include "cardan/integrate/stepper.hpp"

#include "cardan/integrate/mass_matrix_check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace cardan {

StepFailure::StepFailure(double failed_at, std::string at_joint, const std::string& why)
    : std::runtime_error(at_joint.empty() ? fmt::format("t = {}: {}", failed_at, why)
                                          : fmt::format("t = {}: joint \"{}\": {}", failed_at, at_joint, why)),
      time(failed_at),
      joint(std::move(at_joint)),
      reason(why) {}

std::vector<double> velocities(const Model& model) { return std::vector<double>(static_cast<std::size_t>(model.nv())); }

Stepper::Stepper(const char* name, Dynamics& dynamics, const IntegratorOptions& options, Chart chart)
    : dynamics_(dynamics),
      options_(options),
      chart_(chart),
      state_(dynamics.model()),
      next_(dynamics.model()),
      dense_(dynamics.model(), chart),
      name_(name),
      x_(static_cast<std::size_t>(chart.size(dynamics.model()))),
      rate0_(x_),
      rate1_(x_) {}

void Stepper::start(double t, const State& state) {
  detail::check_size("start", "q", model().nq(), static_cast<int>(state.q.size()));
  detail::check_size("start", "v", model().nv(), static_cast<int>(state.v.size()));
  state_ = state;
  time_ = previous_time_ = start_time_ = t;
  full_steps_ = 0;
  normalize_quaternions(model(), state_.q.data());
  next_ = state_;
  interpolate_step(0.0);
  restart();
}

void Stepper::step(double t_max) {
  if (!(t_max > time_)) return;
  refresh_rotation_vectors();
  // a remainder that rounding has left is not worth a step
  const double end = start_time_ + static_cast<double>(full_steps_ + 1) * options_.step;
  const bool full = end <= t_max + 1e-9 * options_.step;
  const double t = full && std::abs(end - t_max) > 1e-9 * options_.step ? end : t_max;
  advance(full ? options_.step : t - time_, t);
  accept(t);
  if (full) {
    ++full_steps_;
  } else {
    start_time_ = t;
    full_steps_ = 0;
  }
}

void Stepper::interpolate(double t, State& out) const {
  const double h = time_ - previous_time_;
  dense_.evaluate(h > 0.0 ? std::clamp((t - previous_time_) / h, 0.0, 1.0) : 0.0, out);
}

void Stepper::evaluate(double t, const std::vector<double>& q, const std::vector<double>& v, std::vector<double>& a) {
  ++evaluations_;
  dynamics_.acceleration(t, q, v, a);
}

void Stepper::require_finite(double t, const State& state, const std::vector<double>& a) const {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (std::all_of(state.q.begin(), state.q.end(), finite) && std::all_of(state.v.begin(), state.v.end(), finite) &&
      std::all_of(a.begin(), a.end(), finite))
    return;
  for (int i = 1; i <= model().bodies(); ++i) {
    const Link& link = model().link(i);
    const auto any_bad = [&](const std::vector<double>& all, int first, int n) {
      const auto begin = all.begin() + first;
      return !std::all_of(begin, begin + n, finite);
    };
    if (any_bad(state.q, link.q, model().joint(i).nq())) fail(t, model().joint_name(i), "position is not finite");
    if (any_bad(state.v, link.v, model().joint(i).nv())) fail(t, model().joint_name(i), "velocity is not finite");
  }
  require_regular(t, state);
  const auto bad = std::find_if_not(a.begin(), a.end(), finite) - a.begin();
  fail(t, model().joint_name(model().body_of_dof(static_cast<int>(bad))), "acceleration is not finite");
}

void Stepper::require_regular(double t, const State& state) const {
  if (const int dof = singular_velocity(model(), state.q); dof >= 0)
    fail(t, model().joint_name(model().body_of_dof(dof)), "the mass matrix is singular");
}

void Stepper::fail(double t, const std::string& joint, const std::string& reason) const {
  throw StepFailure(t, joint, std::string(name_) + ": " + reason);
}

void Stepper::interpolate_step(double h) {
  dense_.q0 = state_.q;
  if (chart_.on_manifold) {
    difference(model(), state_.q.data(), next_.q.data(), x_.data());
    rate0_ = state_.v;
  } else {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = next_.q[i] - state_.q[i];
    coordinate_rate(model(), state_.q.data(), state_.v.data(), rate0_.data());
  }
  chart_.rate(model(), x_.data(), next_.q.data(), next_.v.data(), rate1_.data());
  dense_.x.set(nullptr, x_.data(), rate0_.data(), rate1_.data(), h);
  dense_.v.set_line(state_.v.data(), next_.v.data());
}

void Stepper::accept(double t) {
  if (dynamics_.correct(t, next_)) corrected();
  previous_time_ = time_;
  time_ = t;
  std::swap(state_, next_);
  ++accepted_;
}

void Stepper::refresh_rotation_vectors() {
  if (shorten_rotation_vectors(model(), state_)) forget();
}

}  // namespace cardan
