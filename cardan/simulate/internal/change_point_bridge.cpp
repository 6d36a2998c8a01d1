#include "cardan/simulate/internal/change_point_bridge.hpp"

#include "cardan/constraints/loop_constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cardan {

namespace {

constexpr double kNearChange = 0.03, kPastChange = 0.05;                       // of the widest clearance
constexpr double kKick = 1e-4;                                                 // of the largest velocity
constexpr double kLeaps[] = {1.37, 0.61, 1.83, 2.29, 0.83, 2.71, 3.37, 0.37};  // of a step
constexpr double kBridgeSteps = 8.0;                                           // for one step of an adaptive method

}  // namespace

bool ChangePointBridge::fits(SystemWorkspace& workspace, const Settings& settings) {
  const Constraints& all = workspace.system().constraints();
  const bool loops = std::any_of(all.begin(), all.end(),
                                 [](const auto& c) { return dynamic_cast<const LoopConstraint*>(c.get()) != nullptr; });
  if (!loops || settings.stabilization != Stabilization::projection || !workspace.constraints()) return false;
  for (const char* name : {"rk4", "dopri5", "munthe_kaas_2", "munthe_kaas_4", "munthe_kaas_54"})
    if (settings.integrator == name) return true;
  return false;
}

ChangePointBridge::ChangePointBridge(SystemWorkspace& workspace, std::unique_ptr<Integrator> integrator,
                                     const Settings& settings)
    : workspace_(workspace), settings_(settings), own_(std::move(integrator)), now_(own_.get()) {}

void ChangePointBridge::start(double t, const State& state) { now_->start(t, state); }

void ChangePointBridge::rewind(double t, const State& from) { now_->start(t, workspace_.restart_from(from)); }

bool ChangePointBridge::was_kicked() const { return workspace_.last_projection().kick > kKick; }

void ChangePointBridge::try_step(double t_max) {
  if (now_ == own_.get()) return now_->step(t_max);
  const double t0 = now_->time();
  const State from = workspace_.model_state(now_->state());
  try {
    now_->step(t_max);
  } catch (const StepFailure&) {
    has_broken_ = true;
    now_ = own_.get();
    rewind(t0, from);
    now_->step(t_max);
  }
}

void ChangePointBridge::step(double t_max) {
  if (!(t_max > time())) return;
  const bool bridges = is_near_ && !has_broken_ && own_->is_adaptive();
  if (bridges && now_ == own_.get()) go_on(build(last_step_ / kBridgeSteps));
  if (!is_near_ && now_ != own_.get()) go_on(*own_);
  const double t0 = time();
  const State from = is_near_ ? workspace_.model_state(state()) : State();
  try_step(t_max);
  if (is_near_ && !has_broken_ && was_kicked()) leap(t0, from, t_max);
  earlier_ = {t0, from};
  if (now_ == own_.get()) last_step_ = time() - t0;
  look();
  accepted_ = own_->accepted() + bridged_ + (bridge_ ? bridge_->accepted() : 0) - kicked_;
  rejected_ = own_->rejected() + kicked_;
  evaluations_ = own_->evaluations() + bridged_evaluations_ + (bridge_ ? bridge_->evaluations() : 0);
}

void ChangePointBridge::leap(double t0, const State& from, double t_max) {
  const double h = time() - t0;
  // from here, and where this is too near already, from where the step before began
  for (const auto& [t, start] : {Place{t0, from}, earlier_}) {
    if (start.q.empty()) continue;
    for (const double part : kLeaps) {
      ++kicked_;
      now_ = &build(t0 - t + part * h);
      rewind(t, start);
      try_step(t_max);
      if (has_broken_ || !was_kicked()) return;
    }
  }
  throw StepFailure(t0, {},
                    "the linkage is at a change point, where two ways go on, and rounding would choose: another step, "
                    "or a start that is a little different, may pass it");
}

void ChangePointBridge::look() {
  const double clearance = workspace_.last_projection().clearance;
  widest_ = std::max(widest_, clearance);
  const bool was_near = is_near_;
  is_near_ = clearance < (was_near ? kPastChange : kNearChange) * widest_;
  if (is_near_ == was_near) return;
  if (!is_near_) has_broken_ = false;
}

Integrator& ChangePointBridge::build(double step) {
  IntegratorOptions options = settings_.steps;
  options.step = step;
  if (bridge_) {
    bridged_ += bridge_->accepted();
    bridged_evaluations_ += bridge_->evaluations();
  }
  auto bridge = make_integrator("munthe_kaas_4", workspace_, options);
  spare_ = std::exchange(bridge_, std::move(bridge));  // whose state may be asked for until the next step
  return *bridge_;
}

void ChangePointBridge::go_on(Integrator& integrator) {
  integrator.start(time(), State(state()));
  now_ = &integrator;
}

}  // namespace cardan
