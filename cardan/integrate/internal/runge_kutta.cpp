#include "cardan/integrate/internal/runge_kutta.hpp"

#include "cardan/math/internal/short_loop.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cardan {

namespace {

/// out = sum of N weighted rows, in one pass.
template <std::size_t N>
void sum_rows(const double* const* rows, const double* weights, double* out, std::size_t n) {
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) {
    double sum = weights[0] * rows[0][i];
    for (std::size_t k = 1; k < N; ++k) sum += weights[k] * rows[k][i];
    out[i] = sum;
  }
}

template <std::size_t... N>
constexpr auto sums_of(std::index_sequence<N...>) {
  return std::array{&sum_rows<N + 1>...};
}
constexpr auto kSumRows = sums_of(std::make_index_sequence<Tableau::kMostStages>());

void add(const double* a, const double* b, double* out, std::size_t n) {
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}
void copy(const double* from, double* to, std::size_t n) {
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

/// Adds a change and what rounding took from the changes before.
void move_by(const double* from, const double* change, const double* lost, double* to, std::size_t n) {
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i] + (change[i] + lost[i]);
}

/// Adds what rounding took from a sum.
void add_lost(const double* change, const double* from, const double* to, double* lost, std::size_t n) {
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) lost[i] += change[i] - (to[i] - from[i]);
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
  for (int s = 0; s < tableau.stages; ++s) stage_terms_.push_back(terms_of(tableau.a[static_cast<std::size_t>(s)]));
  stage_terms_.push_back(terms_of(tableau.b));
  dense_terms_ = terms_of(tableau.dense);
}

RungeKutta::Terms RungeKutta::terms_of(const Tableau::Row& row) {
  Terms out;
  for (std::size_t s = 0; s < row.size(); ++s)
    if (row[s] != 0.0) out.push_back({s, row[s]});
  return out;
}

void RungeKutta::combine(const Terms& terms, double scale, std::vector<double>& out) const {
  if (terms.empty()) return std::fill(out.begin(), out.end(), 0.0);
  const double* rows[Tableau::kMostStages];
  double weights[Tableau::kMostStages];
  for (std::size_t k = 0; k < terms.size(); ++k) {
    rows[k] = rates_[terms[k].stage].data();
    weights[k] = scale * terms[k].weight;
  }
  kSumRows[terms.size() - 1](rows, weights, out.data(), out.size());
}

bool RungeKutta::evaluate_stage(std::size_t stage, double t, double h) {
  const Terms& terms = stage_terms_[stage];
  std::vector<double>& rates = rates_[stage];
  const std::size_t nv = state_.v.size(), nz = state_.z.size();
  const bool is_end = stage + 1 == rates_.size();  // whose change is kept
  if (moves_by_adding_ && nz == 0 && terms.size() == 1 && !is_end) {
    move_along(rates_[terms[0].stage].data(), h * terms[0].weight, rates.data());
  } else {
    combine(terms, h, change_);
    move_by(state_.v.data(), change_.data() + nx_, lost_.data(), next_.v.data(), nv);
    move_by(state_.z.data(), change_.data() + nx_ + nv, lost_.data() + nv, next_.z.data(), nz);
    if (moves_by_adding_) {
      add(state_.q.data(), change_.data(), next_.q.data(), nx_);
      copy(next_.v.data(), rates.data(), nx_);
    } else {
      chart_.move(space(), state_.q.data(), change_.data(), next_.q.data());
      chart_.rate(space(), change_.data(), next_.q.data(), next_.v.data(), rates.data());
    }
  }
  evaluate(t, next_, accelerations(rates));
  return all_finite(accelerations(rates));
}

void RungeKutta::move_along(const double* rate, double h, double* new_rate) {
  const std::size_t n = nx_;
  const double *q0 = state_.q.data(), *v0 = state_.v.data(), *lost = lost_.data();
  double *q = next_.q.data(), *v = next_.v.data();
  CARDAN_SHORT_LOOP
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = q0[i] + h * rate[i];
    v[i] = new_rate[i] = v0[i] + (h * rate[n + i] + lost[i]);
  }
}

void RungeKutta::evaluate_first_stage() {
  if (first_known_ && moves_by_adding_) return;  // the increment's rate is the velocity, at both ends of a step
  if (!first_known_) {
    evaluate(time_, state_, accelerations(rates_[0]));
    require_finite(time_, state_, accelerations(rates_[0]));
    first_known_ = true;
  }
  chart_.rate(space(), zero_x_.data(), state_.q.data(), state_.v.data(), rates_[0].data());
}

bool RungeKutta::compute_stages(double h) {
  const auto stages = static_cast<std::size_t>(tableau_.stages);
  for (std::size_t s = 1; s < stages; ++s)
    if (!evaluate_stage(s, time_ + tableau_.c[s] * h, h)) return false;
  if (tableau_.fsal)  // the last stage was the end of the step
    rates_[stages] = rates_[stages - 1];
  else if (!evaluate_stage(stages, time_ + h, h))
    return false;
  return all_finite(next_.q) && all_finite(next_.v) && all_finite(next_.z);
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
  combine(dense_terms_, h, extra_);
  std::copy_n(extra_.data(), nx_, out.x.extra.data());
  std::copy_n(extra_.data() + nx_, nv, out.v.extra.data());
  std::copy_n(extra_.data() + nx_ + nv, out.z.extra.size(), out.z.extra.data());
  std::swap(rates_[0], rates_[end]);
}

void RungeKutta::carry_over() {
  rates_[0].swap(rates_[static_cast<std::size_t>(tableau_.stages)]);
  const std::size_t nv = state_.v.size();
  const double* const change = change_.data() + nx_;
  add_lost(change, state_.v.data(), next_.v.data(), lost_.data(), nv);
  add_lost(change + nv, state_.z.data(), next_.z.data(), lost_.data() + nv, state_.z.size());
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
      fail(time_, {}, fmt::format("the step has become too small for the tolerance ({:.2g} s)", h));
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
