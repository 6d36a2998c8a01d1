#include "cardan/simulate/simulator.hpp"

#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/internal/spin_watch.hpp"
#include "cardan/simulate/internal/state_switches.hpp"
#include "cardan/simulate/internal/stiffness_watch.hpp"
#include "cardan/simulate/internal/time_breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cardan {

namespace {

constexpr const char* kAsPublished = "linearly_implicit_euler";
constexpr double kMostOutputs = 2e7, kMostRunSteps = 1e12;
constexpr double kRounding = 1e-9;     // of a step or an interval: times closer than this are the same
constexpr double kLongestStep = 0.02;  // of a run, by adaptive methods: what follows the state may be short, too

bool is_finite(const State& state) {
  for (const auto* numbers : {&state.q, &state.v, &state.z})
    for (const double x : *numbers)
      if (!std::isfinite(x)) return false;
  return true;
}

/// Puts the time before what went wrong, if it is not there.
std::string with_time(std::string what, double t) {
  if (constexpr std::string_view command = "simulate: "; what.starts_with(command)) what.erase(0, command.size());
  return what.starts_with("t = ") ? what : fmt::format("t = {:.12g}: {}", t, what);
}

}  // namespace

Simulator::Simulator(SystemWorkspace& workspace, Settings settings)
    : workspace_(workspace), settings_(std::move(settings)), paths_(workspace.system()) {
  const auto require = [](bool holds, const char* what, double found) {
    if (!holds) throw std::invalid_argument(fmt::format("simulate: {}, found {}", what, found));
  };
  require(settings_.duration > 0.0 && std::isfinite(settings_.duration), "duration must be positive",
          settings_.duration);
  require(std::isfinite(settings_.start), "start must be a time", settings_.start);
  require(settings_.output_every > 0.0, "output_every must be positive", settings_.output_every);
  require(settings_.duration / settings_.output_every <= kMostOutputs,
          "output_every gives more than 20 million outputs", settings_.output_every);
  require(settings_.duration / settings_.steps.step <= kMostRunSteps, "step gives more than 1e12 steps",
          settings_.steps.step);
  workspace_.make_run_integrator(settings_);  // complains of name and steps now
}

/// Throws where the mass matrix is singular at the start and nothing makes up for it: no constraint, no prescribed
/// motion, no other order of Euler angles.
void Simulator::require_regular_start(const State& start) const {
  const System& system = workspace_.system();
  const Model& model = system.model();
  if (workspace_.rows() > 0 || !system.driven_joints().empty()) return;
  if (system.settings().formulation != Formulation::recursive || !system.settings().maximal_bodies.empty()) return;
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.joint(i).other_chart(start.q.data() + model.link(i).q)) return;
  Workspace<double> scratch(model);
  if (const std::string why = explain_singular_mass_matrix(model, scratch, start.q); !why.empty())
    throw std::runtime_error(fmt::format("simulate: t = {:g}: {}", settings_.start, why));
}

RunSummary Simulator::run(const State& initial, const Output& output, const GoOn& go_on, Piece piece) {
  const auto begin = std::chrono::steady_clock::now();
  RunSummary summary;
  bool under_way = false;
  std::unique_ptr<Integrator> integrator = workspace_.make_run_integrator(settings_);
  const double start = settings_.start;
  last_output_ = start;
  piece_ = std::move(piece);
  state_ = workspace_.begin(start, initial);
  require_regular_start(state_);
  try {
    // forces that look now and then have looked at a state that knows theirs
    if (static_cast<int>(initial.z.size()) != workspace_.system().element_states()) workspace_.sample(start, state_);
    integrator->start(start, state_);
    hand_out(*integrator, start, output);
    if (!paths_.is_idle()) paths_.start(start, workspace_.model_state(integrator->state()));
    under_way = true;
    advance(integrator, output, go_on, summary);
  } catch (const StepFailure& failure) {
    summary.end = RunSummary::End::failed;
    summary.failure = failure.what();
  } catch (const std::exception& problem) {  // nothing of a run that is under way is lost
    if (!under_way) throw;
    summary.end = RunSummary::End::failed;
    summary.failure = with_time(problem.what(), integrator->time());
  }
  if (integrator->time() > last_output_ + 0.5 * kRounding * settings_.output_every && is_finite(integrator->state()) &&
      is_finite(workspace_.model_state(integrator->state())))
    hand_out(*integrator, integrator->time(), output);
  summary.end_time = integrator->time();
  summary.steps += integrator->accepted();
  summary.rejected_steps += integrator->rejected();
  summary.evaluations += integrator->evaluations();
  if (!workspace_.contact_log().summary.mode.empty()) summary.contact = workspace_.contact_log().summary;
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return summary;
}

void Simulator::advance(std::unique_ptr<Integrator>& running, const Output& output, const GoOn& go_on,
                        RunSummary& summary) {
  const double longest = running->is_adaptive() && !workspace_.system().is_stepped()
                             ? std::min(settings_.steps.largest_step, kLongestStep * settings_.duration)
                             : settings_.steps.largest_step;
  TimeBreaks breaks(workspace_.system(), settings_.start, settings_.duration, longest);
  const bool follows_jumps = settings_.integrator != kAsPublished;
  if (!follows_jumps && breaks.has_jumps())
    summary.notes.push_back(fmt::format(
        "{} is reproduced as it was published: texts that jump are met by its steps as they come", kAsPublished));
  StateSwitches switches(workspace_, settings_);
  switches.start(running->time(), workspace_.model_state(running->state()));
  StiffnessWatch stiffness(workspace_, settings_);
  SpinWatch spin(workspace_, settings_);
  bool watches_limits = workspace_.may_reach_limits();
  const double every = settings_.output_every, end = settings_.start + settings_.duration;
  const double last = end - kRounding * every;
  const auto time_of = [&](long row) { return settings_.start + static_cast<double>(row) * every; };
  long row = 1;  // output times are counted, not added up
  while (running->time() < end) {
    if (follows_jumps && breaks.is_at(running->time())) {
      pass(breaks.after(), *running);
      switches.start(running->time(), workspace_.model_state(running->state()));
    }
    if (running->time() >= switches.due()) {
      switches.change();
      running->start(running->time(), State(running->state()));
    }
    stiffness.look(running->time(), running->state());
    if (!spin.is_idle(running->time())) spin.look(running->time(), workspace_.model_state(running->state()));
    if (watches_limits) state_ = running->state();
    const double before = running->time(), sample = workspace_.system().next_sample(before);
    const State from = switches.is_idle() ? State() : workspace_.model_state(running->state());
    const double limit = std::min({end, sample, follows_jumps ? breaks.limit(before) : end, switches.due(),
                                   before + workspace_.longest_turning_step(running->state())});
    if (switches.is_sliding())
      switches.slide(*running, limit);
    else
      running->step(limit);
    if (watches_limits && workspace_.is_beyond_limits(workspace_.model_state(running->state()))) {
      // a limit holds from here on: the step is made again, with laws
      watches_limits = false;
      switches.stop();
      summary.steps += running->accepted() - 1;
      summary.rejected_steps += running->rejected() + 1;
      summary.evaluations += running->evaluations();
      const State start = workspace_.begin(before, workspace_.model_state(state_));
      running = workspace_.make_contact_stepper(settings_);
      running->start(before, start);
      continue;
    }
    if (switches.look(*running, inside(*running))) {
      // a text jumps within the step: it is made again, up to there
      --summary.steps;
      ++summary.rejected_steps;
      running->start(before, workspace_.restart_from(from));
      continue;
    }
    Integrator& integrator = *running;
    if (!is_finite(integrator.state())) throw StepFailure(integrator.time(), {}, "the state is not finite");
    summary.largest_constraint_error =
        std::max(summary.largest_constraint_error, workspace_.violation(integrator.time(), integrator.state()));
    if (!paths_.is_idle()) watch_paths(integrator, summary);
    const double reached = integrator.time() + kRounding * (integrator.time() - integrator.previous_time());
    const bool samples = reached >= sample;
    for (const double before = samples ? 2.0 * integrator.time() - reached : reached;
         time_of(row) <= before && time_of(row) < last; ++row) {
      if (piece_) piece_(std::min(time_of(row), integrator.time()), inside(integrator));
      hand_out(integrator, time_of(row), output);
    }
    if (piece_) piece_(integrator.time(), inside(integrator));
    if (samples) {  // what is handed out at this time is what forces have seen and do from here on
      State seen = integrator.state();
      workspace_.sample(sample, seen);
      for (; time_of(row) <= reached && time_of(row) < last; ++row) hand_out(time_of(row), seen, output);
      if (integrator.time() >= end) hand_out(integrator.time(), seen, output);
      if (integrator.time() < end) integrator.start(integrator.time(), seen);
    }
    if (!go_on || go_on(integrator.time())) continue;
    if (integrator.time() < end) summary.end = RunSummary::End::stopped;
    break;
  }
  for (const std::string& note : {switches.note(), stiffness.note(), spin.note()})
    if (!note.empty()) summary.notes.push_back(note);
}

void Simulator::pass(double t, Integrator& integrator) {
  state_ = integrator.state();
  workspace_.jump(t, state_);
  integrator.start(t, state_);
}

Simulator::StateAt Simulator::inside(const Integrator& integrator) {
  return [this, &integrator](double t) {
    State out = integrator.state();
    if (t < integrator.time()) integrator.interpolate(t, out);
    if (workspace_.is_projected()) workspace_.follow(t, out);
    return workspace_.model_state(out);
  };
}

void Simulator::watch_paths(const Integrator& integrator, RunSummary& summary) {
  paths_.look(integrator.time(), workspace_.model_state(integrator.state()), inside(integrator), summary.events);
  if (summary.events.size() > RunSummary::kMostEvents) summary.events.resize(RunSummary::kMostEvents);
}

void Simulator::hand_out(Integrator& integrator, double t, const Output& output) {
  const double length = integrator.time() - integrator.previous_time();
  if (std::abs(t - integrator.time()) <= kRounding * length)
    state_ = integrator.state();
  else
    integrator.interpolate(t, state_);
  integrator.prepare_output(t, state_);
  hand_out(t, state_, output);
}

/// Throws where coordinates of the scene say nothing about a state that is sound in the run's own ones: velocities of
/// Euler angles in gimbal lock.
void Simulator::require_finite_output(double t, const State& seen) const {
  if (is_finite(seen)) return;
  const std::vector<SingularJoint> singular = singular_joints(workspace_.model(), seen.q);
  throw StepFailure(t, {},
                    singular.empty() ? std::string("the state is not finite in the coordinates of the scene")
                                     : singular.front().what);
}

void Simulator::hand_out(double t, State state, const Output& output) {
  if (workspace_.is_projected()) workspace_.follow(t, state);
  const State seen = workspace_.model_state(state);
  require_finite_output(t, seen);
  output(t, seen);
  last_output_ = t;
}

}  // namespace cardan
