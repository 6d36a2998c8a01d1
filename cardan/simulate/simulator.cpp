#include "cardan/simulate/simulator.hpp"

#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/simulate/internal/state_switches.hpp"
#include "cardan/simulate/internal/stiffness_watch.hpp"
#include "cardan/simulate/internal/time_breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cardan {

namespace {

constexpr double kMostOutputs = 2e7;
constexpr double kRounding = 1e-9;     // of a step or an interval: times closer than this are the same
constexpr double kLongestStep = 0.02;  // of a run, by adaptive methods: what follows the state may be short, too

}  // namespace

Simulator::Simulator(SystemWorkspace& workspace, Settings settings)
    : workspace_(workspace), settings_(std::move(settings)), paths_(workspace.system()) {
  const auto require = [](bool holds, const char* what, double found) {
    if (!holds) throw std::invalid_argument(fmt::format("simulate: {}, found {}", what, found));
  };
  require(settings_.duration > 0.0 && std::isfinite(settings_.duration), "duration must be positive",
          settings_.duration);
  require(settings_.output_every > 0.0, "output_every must be positive", settings_.output_every);
  require(settings_.duration / settings_.output_every <= kMostOutputs,
          "output_every gives more than 20 million outputs", settings_.output_every);
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
    throw std::runtime_error("simulate: t = 0: " + why);
}

RunSummary Simulator::run(const State& initial, const Output& output, const GoOn& go_on, Piece piece) {
  const auto begin = std::chrono::steady_clock::now();
  RunSummary summary;
  std::unique_ptr<Integrator> integrator = workspace_.make_run_integrator(settings_);
  last_output_ = 0.0;
  piece_ = std::move(piece);
  state_ = workspace_.begin(0.0, initial);
  require_regular_start(state_);
  try {
    workspace_.sample(0.0, state_);
    integrator->start(0.0, state_);
    hand_out(*integrator, 0.0, output);
    if (!paths_.is_idle()) paths_.start(0.0, workspace_.model_state(integrator->state()));
    advance(integrator, output, go_on, summary);
  } catch (const StepFailure& failure) {
    summary.end = RunSummary::End::failed;
    summary.failure = failure.what();
  }
  if (integrator->time() > last_output_ + 0.5 * kRounding * settings_.output_every)
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
  TimeBreaks breaks(workspace_.system(), settings_.duration, longest);
  StateSwitches switches(workspace_, settings_);
  switches.start(running->time(), workspace_.model_state(running->state()));
  StiffnessWatch stiffness(workspace_, settings_);
  bool watches_limits = workspace_.may_reach_limits();
  if (watches_limits && workspace_.is_beyond_limits(workspace_.model_state(running->state()))) watches_limits = false;
  const double every = settings_.output_every, last = settings_.duration - kRounding * every;
  long row = 1;  // output times are counted, not added up
  while (running->time() < settings_.duration) {
    if (breaks.is_at(running->time())) {
      pass(breaks.after(), *running);
      switches.start(running->time(), workspace_.model_state(running->state()));
    }
    if (running->time() >= switches.due()) {
      switches.change();
      running->start(running->time(), State(running->state()));
    }
    stiffness.look(running->time(), running->state());
    if (watches_limits) state_ = running->state();
    const double before = running->time(), sample = workspace_.system().next_sample(before);
    const State from = switches.is_idle() ? State() : workspace_.model_state(running->state());
    const double limit = std::min({settings_.duration, sample, breaks.limit(before), switches.due()});
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
    summary.largest_constraint_error =
        std::max(summary.largest_constraint_error, workspace_.violation(integrator.time(), integrator.state()));
    if (!paths_.is_idle()) watch_paths(integrator, summary);
    const double reached = integrator.time() + kRounding * (integrator.time() - integrator.previous_time());
    for (double t = static_cast<double>(row) * every; t <= reached && t < last;
         t = static_cast<double>(++row) * every) {
      if (piece_) piece_(std::min(t, integrator.time()), inside(integrator));
      hand_out(integrator, t, output);
    }
    if (piece_) piece_(integrator.time(), inside(integrator));
    if (integrator.time() >= sample && integrator.time() < settings_.duration) {
      state_ = integrator.state();
      workspace_.sample(sample, state_);
      integrator.start(integrator.time(), state_);
    }
    if (!go_on || go_on(integrator.time())) continue;
    if (integrator.time() < settings_.duration) summary.end = RunSummary::End::stopped;
    break;
  }
  for (const std::string& note : {switches.note(), stiffness.note()})
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

void Simulator::hand_out(const Integrator& integrator, double t, const Output& output) {
  const double length = integrator.time() - integrator.previous_time();
  if (std::abs(t - integrator.time()) <= kRounding * length)
    state_ = integrator.state();
  else
    integrator.interpolate(t, state_);
  if (workspace_.is_projected()) workspace_.follow(t, state_);
  output(t, workspace_.model_state(state_));
  last_output_ = t;
}

}  // namespace cardan
