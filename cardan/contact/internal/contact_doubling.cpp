#include "cardan/contact/internal/contact_doubling.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kLongest = 1e-2;  // s, where no longest step is given
constexpr double kFirst = 1e-3;    // s
constexpr double kShortestPart = 1.0 / 4096.0;
constexpr double kPositionTolerance = 1e-6;  // m or rad in a step, where none is chosen

IntegratorOptions options_of_halves(const Settings& settings, double longest) {
  IntegratorOptions out = settings.steps;
  out.step = longest;
  return out;
}

double longest_step(const Settings& settings) {
  return std::isfinite(settings.steps.largest_step) ? settings.steps.largest_step : kLongest;
}

}  // namespace

ContactDoubling::ContactDoubling(RecursiveProblem& mechanism, const Settings& settings, ContactLog& log)
    : mechanism_(mechanism),
      log_(log),
      longest_(longest_step(settings)),
      tolerance_(settings.tolerance_is_chosen ? settings.steps.tolerance : kPositionTolerance),
      stepper_(mechanism, options_of_halves(settings, longest_), settings, trial_),
      state_(mechanism.space().zero_state()),
      before_(state_),
      middle_(state_),
      whole_(state_),
      halves_(state_),
      x_(state_.v.size()) {
  log_ = trial_;
}

void ContactDoubling::start(double t, const State& state) {
  state_ = state;
  mechanism_.space().normalize(state_.q.data());
  if (proposed_ == 0.0) {
    proposed_ = std::min(kFirst, longest_);
    log_.summary.since = t;
  }
  time_ = previous_time_ = t;
  stepper_.start(t, state_);  // refuses bodies that start inside each other
}

void ContactDoubling::list_acting(std::vector<std::pair<int, int>>& out) const {
  out.clear();
  for (const ContactForce& contact : trial_.forces)
    if (norm(contact.force) > 0.0) out.emplace_back(contact.shape_a, contact.shape_b);
}

double ContactDoubling::attempt(double h) {
  // whole
  stepper_.start(time_, state_);
  stepper_.step(time_ + h);
  whole_ = stepper_.state();
  // halves
  trial_.summary = {};
  stepper_.start(time_, state_);
  stepper_.step(time_ + 0.5 * h);
  middle_ = stepper_.state();
  middle_time_ = stepper_.time();
  list_acting(first_);
  stepper_.step(time_ + h);
  halves_ = stepper_.state();
  list_acting(second_);
  of_halves_ = trial_.summary;
  keeps_modes_ = of_halves_.impacts == 0 && first_ == second_;
  mechanism_.space().difference(whole_.q.data(), halves_.q.data(), x_.data());
  double worst = 0.0;
  for (const double x : x_) worst = std::max(worst, std::abs(x));
  return (keeps_modes_ ? worst / 3.0 : worst) / tolerance_;
}

void ContactDoubling::step(double t_max) {
  if (!(t_max > time_)) return;
  const double shortest = kShortestPart * longest_;
  double h = std::min(proposed_, longest_);
  for (;;) {
    const bool last = time_ + 1.01 * h >= t_max;
    if (last) h = t_max - time_;
    const double error = attempt(h);
    const double order = keeps_modes_ ? 3.0 : 2.0;
    const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -1.0 / order), 0.2, 4.0);
    if (error <= 1.0 || h <= 1.01 * shortest) {
      proposed_ = std::clamp(last ? std::max(proposed_, factor * h) : factor * h, shortest, longest_);
      return accept(h);
    }
    ++rejected_;
    h = std::max(shortest, factor * h);
  }
}

void ContactDoubling::accept(double h) {
  before_ = state_;
  previous_time_ = time_;
  time_ += h;
  state_ = halves_;
  ++accepted_;
  evaluations_ = stepper_.evaluations();
  log_.forces = trial_.forces;
  ContactSummary& all = log_.summary;
  all.residual = std::max(all.residual, of_halves_.residual);
  all.unsolved += of_halves_.unsolved;
  all.penetration = std::max(all.penetration, of_halves_.penetration);
  all.limit_excess = std::max(all.limit_excess, of_halves_.limit_excess);
  all.contacts = std::max(all.contacts, of_halves_.contacts);
  all.impacts += of_halves_.impacts;
  all.scaled_impacts += of_halves_.scaled_impacts;
}

void ContactDoubling::interpolate(double t, State& out) const {
  const bool early = t < middle_time_;
  const State &from = early ? before_ : middle_, &to = early ? middle_ : state_;
  const double t0 = early ? previous_time_ : middle_time_, t1 = early ? middle_time_ : time_;
  const double part = t1 > t0 ? std::clamp((t - t0) / (t1 - t0), 0.0, 1.0) : 1.0;
  const auto mix = [&](const std::vector<double>& a, const std::vector<double>& b, std::vector<double>& c) {
    c.resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] + part * (b[i] - a[i]);
  };
  std::vector<double> x(x_.size());
  mechanism_.space().difference(from.q.data(), to.q.data(), x.data());
  for (double& entry : x) entry *= part;
  out.q.resize(from.q.size());
  mechanism_.space().move(from.q.data(), x.data(), out.q.data());
  mix(from.v, to.v, out.v);
  mix(from.z, to.z, out.z);
}

}  // namespace cardan
