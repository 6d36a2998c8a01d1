#include "cardan/simulate/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cardan {

namespace {

constexpr double kMostOutputs = 2e7, kMostRunSteps = 1e12;
constexpr double kRounding = 1e-9;  // of a step or an interval: times closer than this are the same

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
  run_ = std::make_unique<Run>(workspace_, settings_);  // complains of name and steps now
}

RunSummary Simulator::run(const State& initial, const Output& output, const GoOn& go_on, Piece piece, Jump jump) {
  const auto begin = std::chrono::steady_clock::now();
  RunSummary summary;
  bool under_way = false;
  const std::unique_ptr<Run> own = run_ ? std::move(run_) : std::make_unique<Run>(workspace_, settings_);
  Run& run = *own;
  last_output_ = settings_.start;
  piece_ = std::move(piece);
  run.on_jump(std::move(jump));
  try {
    run.start(settings_.start, initial);
    hand_out(run, settings_.start, output);
    if (!paths_.is_idle()) paths_.start(settings_.start, run.at(settings_.start));
    under_way = true;
    advance(run, output, go_on, summary);
  } catch (const StepFailure& failure) {
    summary.end = RunSummary::End::failed;
    summary.failure = failure.what();
  } catch (const std::exception& problem) {  // nothing of a run that is under way is lost
    if (!under_way) throw;
    summary.end = RunSummary::End::failed;
    summary.failure = with_time(problem.what(), run.time());
  }
  if (run.time() > last_output_ + 0.5 * kRounding * settings_.output_every && run.is_finite())
    hand_out(run, run.time(), output);
  summary.end_time = run.time();
  summary.steps = run.accepted();
  summary.rejected_steps = run.rejected();
  summary.evaluations = run.evaluations();
  summary.notes = run.notes();
  if (!workspace_.contact_log().summary.mode.empty()) summary.contact = workspace_.contact_log().summary;
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return summary;
}

void Simulator::advance(Run& run, const Output& output, const GoOn& go_on, RunSummary& summary) {
  const double every = settings_.output_every, end = settings_.start + settings_.duration;
  const double last = end - kRounding * every;
  const auto time_of = [&](long row) { return settings_.start + static_cast<double>(row) * every; };
  const StateAt inside = [&](double t) { return run.at(t); };
  long row = 1;  // output times are counted, not added up
  while (run.time() < end) {
    run.step(end);
    summary.largest_constraint_error = std::max(summary.largest_constraint_error, run.violation());
    if (!paths_.is_idle()) watch_paths(run, summary);
    const double reached = run.time() + kRounding * (run.time() - run.previous_time());
    for (; time_of(row) <= reached && time_of(row) < last; ++row) {
      if (piece_) piece_(std::min(time_of(row), run.time()), inside);
      hand_out(run, time_of(row), output);
    }
    if (piece_) piece_(run.time(), inside);
    if (run.time() >= end) hand_out(run, run.time(), output);
    if (!go_on || go_on(run.time())) continue;
    if (run.time() < end) summary.end = RunSummary::End::stopped;
    break;
  }
}

void Simulator::watch_paths(Run& run, RunSummary& summary) {
  paths_.look(
      run.time(), run.at(run.time()), [&](double t) { return run.at(t); }, summary.events);
  if (summary.events.size() > RunSummary::kMostEvents) summary.events.resize(RunSummary::kMostEvents);
}

void Simulator::hand_out(Run& run, double t, const Output& output) {
  output(t, run.output(t));
  last_output_ = t;
}

}  // namespace cardan
