#include "cardan/simulate/internal/stiffness_watch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr double kLooksInRun = 4.0;

}  // namespace

StiffnessWatch::StiffnessWatch(SystemWorkspace& workspace, const Settings& settings)
    : workspace_(workspace),
      integrator_(settings.integrator),
      step_(settings.steps.step),
      every_(settings.duration / kLooksInRun) {
  const System& system = workspace.system();
  Stiffness any;
  any.rate = 1.0;
  if (system.is_stepped() || system.forces().empty() || !std::isfinite(longest_stable_step(integrator_, any)))
    next_ = std::numeric_limits<double>::infinity();
}

void StiffnessWatch::look(double t, const State& state) {
  if (t < next_) return;
  next_ += every_;
  const Stiffness stiffness = estimate_stiffness(workspace_, t, state);
  const double longest = longest_stable_step(integrator_, stiffness);
  if (!(step_ > longest)) return;
  next_ = std::numeric_limits<double>::infinity();
  note_ = fmt::format(
      "t = {:g} s: steps of {:g} s are too long for what is stiff at {} ({:.3g} 1/s): {} is stable up to {:.2g} s; "
      "choose such a step, munthe_kaas_54 with a tolerance, or bdf2",
      t, step_, stiffness.where, stiffness.rate, integrator_, longest);
}

}  // namespace cardan
