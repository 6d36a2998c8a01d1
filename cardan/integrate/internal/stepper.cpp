#include "cardan/integrate/internal/stepper.hpp"

#include "cardan/math/internal/short_loop.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

bool all_finite(std::span<const double> values) {
  double zero = 0.0;  // times infinity or NaN: NaN. No early end: the numbers are few, and nearly always all finite
  CARDAN_SHORT_LOOP
  for (const double x : values) zero += 0.0 * x;
  return zero == 0.0;
}

Stepper::Stepper(const char* name, Problem& problem, const IntegratorOptions& options, Chart chart)
    : problem_(problem),
      options_(options),
      chart_(chart),
      state_(problem.space().zero_state()),
      next_(state_),
      nv_(problem.space().sizes().v),
      nz_(problem.space().sizes().z),
      name_(name),
      dense_(problem.space(), chart),
      x_scratch_(static_cast<std::size_t>(chart.size(problem.space()))),
      rate0_scratch_(x_scratch_),
      rate1_scratch_(x_scratch_) {}

void Stepper::start(double t, const State& state) {
  const Sizes sizes = space().sizes();
  detail::check_size("start", "q", sizes.q, static_cast<int>(state.q.size()));
  detail::check_size("start", "v", sizes.v, static_cast<int>(state.v.size()));
  detail::check_size("start", "z", sizes.z, static_cast<int>(state.z.size()));
  state_ = state;
  time_ = previous_time_ = start_time_ = t;
  full_steps_ = 0;
  space().normalize(state_.q.data());
  next_ = state_;
  dense_is_built_ = false;
  restart();
}

void Stepper::step(double t_max) {
  if (!(t_max > time_)) return;
  begin_step();
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
  if (!(h > 0.0)) {
    out = state_;
    return;
  }
  if (!dense_is_built_) build_dense_output(next_, h, dense_);
  dense_is_built_ = true;
  dense_.evaluate(space(), std::clamp((t - previous_time_) / h, 0.0, 1.0), out);
}

void Stepper::evaluate(double t, const State& state, std::span<double> rates) {
  ++evaluations_;
  problem_.acceleration({t, state}, Out<double>(rates.data(), nv_), Out<double>(rates.data() + nv_, nz_));
}

void Stepper::require_finite(double t, const State& state, std::span<const double> a) const {
  if (all_finite(state.q) && all_finite(state.v) && all_finite(state.z) && all_finite(a)) return;
  const auto bad = [](std::span<const double> values) {
    const auto it = std::find_if_not(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    return it == values.end() ? -1 : static_cast<int>(it - values.begin());
  };
  if (const int i = bad(state.q); i >= 0) fail(t, space().name_of_coordinate(i), "position is not finite");
  if (const int i = bad(state.v); i >= 0) fail(t, space().name_of_velocity(i), "velocity is not finite");
  if (bad(state.z) >= 0) fail(t, {}, "the state of a force is not finite");
  require_regular(t, state);
  const int i = bad(a);
  if (i >= space().sizes().v) fail(t, {}, "the rate of a force's state is not finite");
  fail(t, space().name_of_velocity(i), "acceleration is not finite");
}

void Stepper::require_regular(double t, const State& state) const {
  if (const std::string reason = problem_.explain({t, state}); !reason.empty()) fail(t, {}, reason);
  if (const int i = problem_.singular_velocity({t, state}); i >= 0)
    fail(t, space().name_of_velocity(i), "the mass matrix is singular");
}

void Stepper::explain(double t, const State& state) {
  std::vector<double> rates(state.v.size() + state.z.size());
  evaluate(t, state, rates);
  require_finite(t, state, rates);
  require_regular(t, state);
}

void Stepper::refuse_element_states() const {
  if (space().sizes().z > 0)
    throw std::invalid_argument(fmt::format(
        "integrator {}: forces with states of their own need another method, such as munthe_kaas_54 or bdf2", name_));
}

namespace {

/// Says which constraint stays open a little later, empty where all can be closed: a mechanism that is driven into a
/// dead point stops adaptive and implicit methods before any projection fails.
std::string find_lock(Problem& problem, double t, const State& state) {
  constexpr double kLargestMove = 0.01;  // rad or m
  if (problem.rows() == 0 || !all_finite(state.q) || !all_finite(state.v)) return {};
  double fastest = 0.0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  std::vector<double> x(state.v.size());
  for (const double later : {1e-4, 1e-3, 1e-2}) {
    State ahead = state;
    const double scale = std::min(later, kLargestMove / std::max(fastest, 1e-300));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = scale * state.v[i];
    problem.space().move(state.q.data(), x.data(), ahead.q.data());
    const Projection projection = problem.project(t + later, ahead);
    if (projection.result == Projection::Result::failed)
      return projection.complaint(fmt::format(" {:g} s later", later));
  }
  return {};
}

}  // namespace

void Stepper::fail(double t, const std::string& joint, const std::string& reason) const {
  std::string lock = problem_.lock(time_, state_);
  if (lock.empty()) lock = find_lock(problem_, time_, state_);
  if (!lock.empty()) throw StepFailure(time_, {}, fmt::format("{} ({}: {})", lock, name_, reason));
  throw StepFailure(t, joint, std::string(name_) + ": " + reason);
}

void Stepper::build_dense_output(const State& previous, double h, DenseOutput& out) const {
  std::vector<double>&x = x_scratch_, &rate0 = rate0_scratch_, &rate1 = rate1_scratch_;
  if (chart_.on_manifold) {
    space().difference(previous.q.data(), state_.q.data(), x.data());
    rate0 = previous.v;
  } else {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = state_.q[i] - previous.q[i];
    space().coordinate_rate(previous.q.data(), previous.v.data(), rate0.data());
  }
  chart_.rate(space(), x.data(), state_.q.data(), state_.v.data(), rate1.data());
  out.q0 = previous.q;
  out.x.set(nullptr, x.data(), rate0.data(), rate1.data(), h);
  out.v.set_line(previous.v.data(), state_.v.data());
  out.z.set_line(previous.z.data(), state_.z.data());
}

void Stepper::accept(double t) {
  const Projection projection = problem_.project(t, next_);
  if (projection.result == Projection::Result::failed) {
    throw StepFailure(t, {}, projection.complaint());
  }
  if (projection.result == Projection::Result::changed) corrected();
  previous_time_ = time_;
  time_ = t;
  state_.q.swap(next_.q);
  state_.v.swap(next_.v);
  state_.z.swap(next_.z);
  dense_is_built_ = false;
  ++accepted_;
}

void Stepper::begin_step() {
  previous_time_ = time_;
  if (problem_.reparameterize(state_)) forget();
}

}  // namespace cardan
