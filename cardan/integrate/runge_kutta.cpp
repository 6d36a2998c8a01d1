#include "cardan/integrate/runge_kutta.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

// the arrays never overlap: without saying so, checking that costs more than the few sums
void assign(double* __restrict to, const double* __restrict from, double factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = factor * from[i];
}
void add(double* __restrict to, const double* __restrict from, double factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

}  // namespace

RungeKutta::RungeKutta(const char* name, const Tableau& tableau, Chart chart, Problem& problem,
                       const IntegratorOptions& options)
    : Stepper(name, problem, options, chart),
      tableau_(tableau),
      nx_(static_cast<std::size_t>(chart.size(problem.space()))),
      change_(nx_ + state_.v.size() + state_.z.size()),
      moves_by_adding_(problem.space().moves_by_adding()),
      extra_(change_),
      zero_x_(nx_),
      lost_(state_.v.size() + state_.z.size()) {
  rates_.assign(static_cast<std::size_t>(tableau.stages) + 1, change_);
}

void RungeKutta::combine(const Tableau::Row& c, int stages, double scale, std::vector<double>& out) const {
  bool first = true;
  for (std::size_t s = 0; s < static_cast<std::size_t>(stages); ++s) {
    if (c[s] == 0.0) continue;
    if (first)
      assign(out.data(), rates_[s].data(), scale * c[s], out.size());
    else
      add(out.data(), rates_[s].data(), scale * c[s], out.size());
    first = false;
  }
  if (first) std::fill(out.begin(), out.end(), 0.0);
}

void RungeKutta::evaluate_stage(int stage, double t) {
  std::vector<double>& rates = rates_[static_cast<std::size_t>(stage)];
  const std::size_t nv = state_.v.size(), nz = state_.z.size();
  const double *change = change_.data() + nx_, *lost = lost_.data(), *v0 = state_.v.data();
  double* const v = next_.v.data();
  for (std::size_t i = 0; i < nv; ++i) v[i] = v0[i] + (change[i] + lost[i]);
  for (std::size_t i = 0; i < nz; ++i) next_.z[i] = state_.z[i] + (change[nv + i] + lost[nv + i]);
  if (moves_by_adding_) {
    const double *q0 = state_.q.data(), *x = change_.data();
    double *const q = next_.q.data(), *const rate = rates.data();
    for (std::size_t i = 0; i < nv; ++i) {
      q[i] = q0[i] + x[i];
      rate[i] = v[i];
    }
  } else {
    chart_.move(space(), state_.q.data(), change_.data(), next_.q.data());
    chart_.rate(space(), change_.data(), next_.q.data(), next_.v.data(), rates.data());
  }
  evaluate(t, next_, accelerations(rates));
}

void RungeKutta::evaluate_first_stage() {
  if (!first_known_) {
    evaluate(time_, state_, accelerations(rates_[0]));
    require_finite(time_, state_, accelerations(rates_[0]));
    first_known_ = true;
  }
  chart_.rate(space(), zero_x_.data(), state_.q.data(), state_.v.data(), rates_[0].data());
}

bool RungeKutta::compute_stages(double h) {
  for (int s = 1; s < tableau_.stages; ++s) {
    combine(tableau_.a[static_cast<std::size_t>(s)], s, h, change_);
    evaluate_stage(s, time_ + tableau_.c[static_cast<std::size_t>(s)] * h);
    if (!all_finite(rates_[static_cast<std::size_t>(s)])) return false;
  }
  const auto end = static_cast<std::size_t>(tableau_.stages);
  if (tableau_.fsal) {  // the last stage was the end of the step
    rates_[end] = rates_[end - 1];
    return true;
  }
  combine(tableau_.b, tableau_.stages, h, change_);
  evaluate_stage(tableau_.stages, time_ + h);
  return all_finite(rates_[end]) && all_finite(next_.q) && all_finite(next_.z);
}

void RungeKutta::explain_stages(double h) const {
  for (std::size_t s = 1; s < rates_.size(); ++s) require_finite(time_ + h, next_, accelerations(rates_[s]));
}

void RungeKutta::build_dense_output(const State& previous, double h, DenseOutput& out) const {
  const auto end = static_cast<std::size_t>(tableau_.stages);
  const std::size_t nv = previous.v.size();
  std::swap(rates_[0], rates_[end]);  // as they were before carry_over
  const double *r0 = rates_[0].data(), *r1 = rates_[end].data();
  out.q0 = previous.q;
  out.x.set(nullptr, change_.data(), r0, r1, h);
  out.v.set(previous.v.data(), state_.v.data(), r0 + nx_, r1 + nx_, h);
  out.z.set(previous.z.data(), state_.z.data(), r0 + nx_ + nv, r1 + nx_ + nv, h);
  combine(tableau_.dense, tableau_.stages, h, extra_);
  std::copy_n(extra_.data(), nx_, out.x.extra.data());
  std::copy_n(extra_.data() + nx_, nv, out.v.extra.data());
  std::copy_n(extra_.data() + nx_ + nv, out.z.extra.size(), out.z.extra.data());
  std::swap(rates_[0], rates_[end]);
}

void RungeKutta::carry_over() {
  std::swap(rates_[0], rates_[static_cast<std::size_t>(tableau_.stages)]);
  const std::size_t nv = state_.v.size();
  const double* const change = change_.data() + nx_;
  for (std::size_t i = 0; i < nv; ++i) lost_[i] += change[i] - (next_.v[i] - state_.v[i]);
  for (std::size_t i = 0; i < state_.z.size(); ++i) lost_[nv + i] += change[nv + i] - (next_.z[i] - state_.z[i]);
}

void RungeKutta::forget() {
  first_known_ = false;
  std::fill(lost_.begin(), lost_.end(), 0.0);
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
  const std::size_t nv = state_.v.size(), n = change_.size();
  // on the manifold there is no size of a position but that of the step
  const auto size_of = [&](std::size_t i) {
    const auto larger = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    if (i < nx_) return chart_.on_manifold ? std::abs(change_[i]) : larger(state_.q[i], next_.q[i]);
    i -= nx_;
    return i < nv ? larger(state_.v[i], next_.v[i]) : larger(state_.z[i - nv], next_.z[i - nv]);
  };
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(tableau_.stages); ++s) sum += tableau_.error[s] * rates_[s][i];
    const double e = h * sum / (absolute + relative * size_of(i));
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
