#include "apps/slow_run.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/simulate/stiffness.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace cardan::command {

namespace {

constexpr double kPatience = 5.0, kTooLong = 120.0;  // s: before anything is said, and what is left of the run then

}  // namespace

SlowRun::SlowRun(SystemWorkspace& workspace, const Settings& settings)
    : workspace_(workspace), settings_(settings), begin_(Clock::now()) {}

void SlowRun::at(double t, const State& state) {
  const double step = t - std::exchange(last_, t);
  if (told_ || settings_.laws_act) return;
  const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (passed < kPatience || (t - settings_.start) * (passed + kTooLong) > settings_.duration * passed) return;
  told_ = true;
  fmt::print(stderr, "simulate: slow: t = {:.3g} of {:g} s after {:.0f} s, in steps of {:.2g} s: {}\n", t,
             settings_.duration, passed, step, io::printable(explain(t, step, state)));
  std::fflush(stderr);
}

std::string SlowRun::explain(double t, double step, const State& state) {
  constexpr double kHeldDown = 0.5;  // h |lambda| of steps that stability, not accuracy, keeps short
  const Stiffness stiffness = estimate_stiffness(workspace_, t, workspace_.problem_state(state));
  if (step * stiffness.rate < kHeldDown) return "what happens is that fast, or a larger tolerance would do";
  return fmt::format(
      "{} is stiff ({:.2g} 1/s), which keeps explicit steps short: --integrator bdf2 --step {:.0e} or cvode would do",
      stiffness.where, stiffness.rate, settings_.duration / 1000.0);
}

}  // namespace cardan::command
