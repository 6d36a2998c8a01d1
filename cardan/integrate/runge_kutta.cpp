#include "cardan/integrate/runge_kutta.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace cardan {

RungeKutta::RungeKutta(const char* name, const Tableau& tableau, Chart chart, Problem& problem,
                       const IntegratorOptions& options)
    : Stepper(name, problem, options, chart),
      tableau_(tableau),
      x_(static_cast<std::size_t>(chart.size(problem.space()))),
      extra_(state_.v.size() + state_.z.size()),
      zero_x_(x_),
      v_change_(extra_),
      v_lost_(v_change_) {
  x_rate_.assign(static_cast<std::size_t>(tableau.stages) + 1, x_);
  a_.assign(static_cast<std::size_t>(tableau.stages) + 1, v_change_);
}

void RungeKutta::combine(const Tableau::Row& c, int stages, double scale, const std::vector<std::vector<double>>& rates,
                         std::vector<double>& out) {
  bool first = true;
  for (std::size_t s = 0; s < static_cast<std::size_t>(stages); ++s) {
    if (c[s] == 0.0) continue;
    const double weight = scale * c[s];
    const double* const rate = rates[s].data();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = first ? weight * rate[i] : out[i] + weight * rate[i];
    first = false;
  }
  if (first) std::fill(out.begin(), out.end(), 0.0);
}

void RungeKutta::evaluate_stage(int stage, double t) {
  const auto s = static_cast<std::size_t>(stage);
  const std::size_t nv = state_.v.size();
  for (std::size_t i = 0; i < nv; ++i) next_.v[i] = state_.v[i] + (v_change_[i] + v_lost_[i]);
  for (std::size_t i = 0; i < state_.z.size(); ++i) next_.z[i] = state_.z[i] + (v_change_[nv + i] + v_lost_[nv + i]);
  chart_.move(space(), state_.q.data(), x_.data(), next_.q.data());
  chart_.rate(space(), x_.data(), next_.q.data(), next_.v.data(), x_rate_[s].data());
  evaluate(t, next_, a_[s]);
}

void RungeKutta::evaluate_first_stage() {
  if (!first_known_) {
    evaluate(time_, state_, a_[0]);
    require_finite(time_, state_, a_[0]);
    first_known_ = true;
  }
  chart_.rate(space(), zero_x_.data(), state_.q.data(), state_.v.data(), x_rate_[0].data());
}

bool RungeKutta::compute_stages(double h) {
  for (int s = 1; s < tableau_.stages; ++s) {
    const auto& row = tableau_.a[static_cast<std::size_t>(s)];
    combine(row, s, h, x_rate_, x_);
    combine(row, s, h, a_, v_change_);
    evaluate_stage(s, time_ + tableau_.c[static_cast<std::size_t>(s)] * h);
    if (!all_finite(a_[static_cast<std::size_t>(s)])) return false;
  }
  const auto end = static_cast<std::size_t>(tableau_.stages);
  if (tableau_.fsal) {  // the last stage was the end of the step
    a_[end] = a_[end - 1];
    x_rate_[end] = x_rate_[end - 1];
    return true;
  }
  combine(tableau_.b, tableau_.stages, h, x_rate_, x_);
  combine(tableau_.b, tableau_.stages, h, a_, v_change_);
  evaluate_stage(tableau_.stages, time_ + h);
  return all_finite(a_[end]) && all_finite(next_.q) && all_finite(next_.v) && all_finite(next_.z);
}

void RungeKutta::explain_stages(double h) const {
  for (std::size_t s = 1; s < a_.size(); ++s) require_finite(time_ + h, next_, a_[s]);
}

void RungeKutta::build_dense_output(const State& previous, double h, DenseOutput& out) const {
  const auto end = static_cast<std::size_t>(tableau_.stages);
  const std::size_t nv = previous.v.size();
  std::swap(a_[0], a_[end]);  // as they were before carry_over
  out.q0 = previous.q;
  out.x.set(nullptr, x_.data(), x_rate_[0].data(), x_rate_[end].data(), h);
  out.v.set(previous.v.data(), state_.v.data(), a_[0].data(), a_[end].data(), h);
  out.z.set(previous.z.data(), state_.z.data(), a_[0].data() + nv, a_[end].data() + nv, h);
  combine(tableau_.dense, tableau_.stages, h, x_rate_, out.x.extra);
  combine(tableau_.dense, tableau_.stages, h, a_, extra_);
  std::copy_n(extra_.begin(), nv, out.v.extra.begin());
  std::copy(extra_.begin() + static_cast<std::ptrdiff_t>(nv), extra_.end(), out.z.extra.begin());
  std::swap(a_[0], a_[end]);
}

void RungeKutta::carry_over() {
  std::swap(a_[0], a_[static_cast<std::size_t>(tableau_.stages)]);
  const std::size_t nv = state_.v.size();
  for (std::size_t i = 0; i < nv; ++i) v_lost_[i] += v_change_[i] - (next_.v[i] - state_.v[i]);
  for (std::size_t i = 0; i < state_.z.size(); ++i) v_lost_[nv + i] += v_change_[nv + i] - (next_.z[i] - state_.z[i]);
}

void RungeKutta::forget() {
  first_known_ = false;
  std::fill(v_lost_.begin(), v_lost_.end(), 0.0);
}

void RungeKutta::advance(double h, double) {
  evaluate_first_stage();
  if (!compute_stages(h)) explain_stages(h);
  carry_over();
}

void AdaptiveRungeKutta::start(double t, const State& state) {
  const bool goes_on = proposed_ > 0.0 && t == time_;
  const double kept = proposed_;
  RungeKutta::start(t, state);
  if (goes_on) proposed_ = kept;
}

void AdaptiveRungeKutta::restart() {
  RungeKutta::restart();
  control_.reset();
  proposed_ = options_.step;
}

double AdaptiveRungeKutta::error(double h) const {
  const double relative = options_.tolerance;
  const double absolute = options_.absolute_tolerance > 0.0 ? options_.absolute_tolerance : relative;
  const auto estimate = [&](const std::vector<std::vector<double>>& rates, std::size_t i) {
    double sum = 0.0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(tableau_.stages); ++s) sum += tableau_.error[s] * rates[s][i];
    return h * sum;
  };
  double squares = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    // on the manifold there is no size of a position but that of the step
    const double size = chart_.on_manifold ? std::abs(x_[i]) : std::max(std::abs(state_.q[i]), std::abs(next_.q[i]));
    const double e = estimate(x_rate_, i) / (absolute + relative * size);
    squares += e * e;
  }
  for (std::size_t i = 0; i < state_.v.size(); ++i) {
    const double size = std::max(std::abs(state_.v[i]), std::abs(next_.v[i]));
    const double e = estimate(a_, i) / (absolute + relative * size);
    squares += e * e;
  }
  const std::size_t nv = state_.v.size(), n = x_.size() + nv + state_.z.size();
  for (std::size_t i = 0; i < state_.z.size(); ++i) {
    const double size = std::max(std::abs(state_.z[i]), std::abs(next_.z[i]));
    const double e = estimate(a_, nv + i) / (absolute + relative * size);
    squares += e * e;
  }
  return n == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(n));
}

void AdaptiveRungeKutta::step(double t_max) {
  if (!(t_max > time_)) return;
  begin_step();
  evaluate_first_stage();
  const double infinity = std::numeric_limits<double>::infinity();
  const double resolution = 16.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time_), std::abs(t_max));
  double h = std::min(proposed_, options_.largest_step);
  bool finite = true;
  for (bool rejected = false;; rejected = true) {
    const bool last = time_ + 1.01 * h >= t_max;
    if (last) {
      h = t_max - time_;
    } else if (h < std::max(options_.smallest_step, resolution)) {
      if (!finite) explain_stages(h);
      require_regular(time_, state_);
      fail(time_, {}, fmt::format("the step has become too small for the tolerance ({} s)", h));
    }
    finite = compute_stages(h);
    const double e = finite ? error(h) : infinity;
    if (e <= 1.0) {
      const double next = h * std::min(control_.accept(e), rejected ? 1.0 : infinity);
      proposed_ = last ? std::max(next, proposed_) : next;  // a step that was cut short says nothing about longer ones
      carry_over();
      return accept(last ? t_max : time_ + h);
    }
    ++rejected_;
    proposed_ = h = h * StepControl::reject(e);
  }
}

}  // namespace cardan
