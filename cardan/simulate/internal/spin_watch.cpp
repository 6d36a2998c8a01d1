#include "cardan/simulate/internal/spin_watch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr double kBent = 0.01;  // rad, over the whole run: less is not worth a line
constexpr double kLooksAtSpin = 4.0;

/// The error of a method on v' = i omega v, leading term: of the angle, or of the length where that is larger.
struct Bend {
  const char* integrator;
  double factor;
  int power;
};
constexpr Bend kBends[] = {
    {"bdf2", 1.0 / 3.0, 3}, {"munthe_kaas_2", 1.0 / 6.0, 3}, {"generalized_alpha", 1.0 / 12.0, 3},
    {"bdf1", 0.5, 2},       {"munthe_kaas_1", 0.5, 2},       {"euler", 0.5, 2}};

}  // namespace

SpinWatch::SpinWatch(const SystemWorkspace& workspace, const Settings& settings)
    : model_(workspace.model()),
      integrator_(settings.integrator),
      step_(settings.steps.step),
      duration_(settings.duration),
      next_(std::numeric_limits<double>::infinity()) {
  bool flies = false;
  for (int body = 1; body <= model_.bodies(); ++body) flies |= std::holds_alternative<Free>(model_.joint(body).type);
  if (!flies || workspace.system().is_stepped()) return;
  for (const Bend& bend : kBends)
    if (integrator_ == bend.integrator) {
      factor_ = bend.factor;
      power_ = bend.power;
      next_ = settings.start;
    }
}

void SpinWatch::look(double t, const State& state) {
  if (is_idle(t)) return;
  next_ += duration_ / kLooksAtSpin;
  for (int body = 1; body <= model_.bodies(); ++body) {
    if (!std::holds_alternative<Free>(model_.joint(body).type)) continue;
    const double* v = state.v.data() + model_.link(body).v;
    const double omega = std::hypot(v[0], v[1], v[2]);
    const double bend = factor_ * std::pow(omega * step_, power_) * duration_ / step_;
    if (!(bend > kBent)) continue;
    next_ = std::numeric_limits<double>::infinity();
    note_ = fmt::format(
        "joint \"{}\" turns at {:.3g} rad/s: steps of {:g} s by {} bend its path by about {:.2g} rad in this run; "
        "choose "
        "munthe_kaas_4, munthe_kaas_54, or steps of {:.1g} s",
        model_.joint_name(body), omega, step_, integrator_, bend, step_ * std::pow(kBent / bend, 1.0 / (power_ - 1)));
    return;
  }
}

}  // namespace cardan
