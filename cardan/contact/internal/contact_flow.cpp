#include "cardan/contact/internal/contact_flow.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

namespace {

constexpr double kClosedGap = 1e-13;       // m, rad: gaps that projection leaves alone
constexpr double kClosedVelocity = 1e-13;  // m/s
constexpr int kMostRounds = 6;

}  // namespace

ContactFlow::ContactFlow(RecursiveProblem& mechanism)
    : mechanism_(mechanism),
      modes_(mechanism.model(), mechanism.system().contact_scene(),
             mechanism.constraints() ? &mechanism.constraints()->constraints() : nullptr,
             ContactModes::Joints::with_limits_and_friction),
      profile_(mechanism.system().settings().profile.get()),
      tau_(static_cast<std::size_t>(mechanism.model().nv())),
      x_(tau_) {}

bool ContactFlow::move_to(const Point& at) {
  if (!modes_.move_to(at.t, at.q, at.v)) return false;
  if (!mechanism_.system().forces().empty()) mechanism_.generalized_forces(at, tau_);
  modes_.set_forces(tau_);
  return true;
}

bool ContactFlow::move_to(double t, const State& state) { return move_to(Point(t, state)); }

bool ContactFlow::evaluate(double t, const State& state) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::detection);
  if (!move_to(t, state)) return false;
  modes_.follow(units_);
  modes_.solve(units_);
  return true;
}

void ContactFlow::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::accelerations);
  if (std::none_of(units_.begin(), units_.end(), [](const LawUnit& unit) { return unit.is_closed(); }))
    return mechanism_.acceleration(at, a, z_dot);
  if (!move_to(at)) {
    std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  modes_.follow(units_);
  modes_.solve(units_);
  for (int i = 0; i < a.size(); ++i) a[i] = modes_.acceleration()[i];
  if (z_dot.size() > 0) mechanism_.rates(at, z_dot);
}

Projection ContactFlow::project(double t, State& state) {
  const RunProfile::Scope scope(profile_, RunProfile::Part::constraints);
  if (std::none_of(units_.begin(), units_.end(), [](const LawUnit& unit) { return unit.is_closed(); }))
    return mechanism_.project(t, state);
  Projection out;
  for (int round = 0; round < kMostRounds; ++round) {
    if (!modes_.move_to(t, state.q, state.v)) return out;
    modes_.follow(units_);
    if (!(modes_.position_change(units_, change_) > kClosedGap)) break;
    std::copy_n(change_.data(), x_.size(), x_.begin());
    space().move(state.q.data(), x_.data(), state.q.data());
    space().normalize(state.q.data());
    out.result = Projection::Result::changed;
  }
  if (modes_.velocity_change(units_, change_) > kClosedVelocity) {
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] += change_[static_cast<Eigen::Index>(i)];
    out.result = Projection::Result::changed;
  }
  const Projection loops = mechanism_.project(t, state);
  return loops.result == Projection::Result::unchanged ? out : loops;
}

}  // namespace cardan
