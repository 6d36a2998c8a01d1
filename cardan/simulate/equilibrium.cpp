#include "cardan/simulate/equilibrium.hpp"

#include "cardan/simulate/internal/at_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

/// Throws where the mechanism came to rest beyond a limit that it could not heed.
void require_within_limits(const SystemWorkspace& workspace, const State& state) {
  if (workspace.is_beyond_limits(workspace.model_state(state)))
    throw std::runtime_error(
        "equilibrium: it rests beyond the limits of a joint, which are heeded in the recursive and redmax formulations "
        "alone");
}

}  // namespace

Equilibrium find_equilibrium(SystemWorkspace& workspace, const State& start) {
  constexpr int kMostSteps = 2000;
  constexpr double kFirst = 0.05, kLongest = 0.3;  // m or rad in one step
  constexpr double kRest = 1e-13;                  // a step shorter than this changes nothing
  constexpr double kWorse = 4.0;                   // steps that multiply the imbalance by more are made again
  if (workspace.system().is_stepped())
    throw std::runtime_error("equilibrium: not available with contact, dry friction or bearings yet");
  AtRest at(workspace, workspace.begin(workspace.system().settings().start, start));
  at.evaluate();
  bool found = false;
  double haste = at.haste(), mu = haste / kFirst;
  double best = haste;
  int last_gain = 0;
  for (int i = 0; i < kMostSteps && std::isfinite(haste); ++i) {
    if (haste == 0.0) {
      found = true;
      break;
    }
    AtRest::Change change = at.step(mu);
    const double length = change.length();
    if (!std::isfinite(length)) break;
    if (change.motion() > kLongest) change.scale(kLongest / change.motion());
    const bool stopped = at.stop_at_limits(change);
    if (!at.move(change)) {
      mu = 4.0 * mu + 1e-6 * haste;
      continue;
    }
    at.evaluate();
    const double before = haste;
    haste = at.haste();
    if (!stopped && !(haste < kWorse * before)) {
      at.take_back();
      haste = before;
      mu = 4.0 * mu + 1e-6 * haste;
      continue;
    }
    // forces that balance twice as well allow steps in pseudo-time that are twice as long, and more
    mu *= std::min(2.0, std::pow(haste / before, 1.5));
    if (stopped) mu = haste / kFirst;  // another mechanism from here on
    if (haste < 0.5 * best || stopped) {
      best = haste;
      last_gain = i;
    }
    if (!stopped && (length < kRest || (haste < 1e-9 && i > last_gain + 10))) {
      found = true;
      break;
    }
  }
  // a length below rounding says little where nothing holds the mechanism: then the forces must be small as well
  Equilibrium out{at.state(), at.multipliers(), at.residual(), found && haste < 1e-6, at.limits(), at.state_rate()};
  if (out.found) require_within_limits(workspace, out.state);
  return out;
}

}  // namespace cardan
