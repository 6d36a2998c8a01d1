// Runs a system through time and hands out its states at regular intervals.
#pragma once

#include "cardan/simulate/path_watch.hpp"
#include "cardan/simulate/run.hpp"

#include <functional>
#include <optional>

namespace cardan {

struct RunSummary {
  enum class End { done, stopped, failed };
  End end = End::done;
  std::string failure;    // a StepFailure's own words
  double end_time = 0.0;  // s
  long steps = 0, rejected_steps = 0, evaluations = 0;
  double wall_time = 0.0;                 // s
  double largest_constraint_error = 0.0;  // m or rad, of loops and couplings after any step
  std::optional<ContactSummary> contact;  // where contact stepping took place
  std::vector<std::string> notes;         // on how the run went that a user should know, a line each
  std::vector<PathEvent> events;          // of paths over surfaces, in order of time; the first kMostEvents
  static constexpr std::size_t kMostEvents = 1000;
};

class Simulator {
 public:
  /// Receives the states of the model in order of time; the first at 0, the last where the run ended.
  using Output = std::function<void(double t, const State& state)>;
  /// Asked after every step; false ends the run.
  using GoOn = std::function<bool(double t)>;
  /// Gives states of the model within the last step.
  using StateAt = std::function<State(double t)>;
  /// Told of every piece of the motion in order: from the end of the piece before to t, all within one step.
  using Piece = std::function<void(double t, const StateAt& state_at)>;
  using Jump = Run::Jump;

  /// With the system's settings, or others. Throws std::invalid_argument on settings that make no sense. The workspace
  /// must outlive it.
  explicit Simulator(SystemWorkspace& workspace) : Simulator(workspace, workspace.system().settings()) {}
  Simulator(SystemWorkspace& workspace, Settings settings);

  const Settings& settings() const { return settings_; }
  /// A step that fails ends the run; what was computed until then has been handed out. Throws std::runtime_error where
  /// the initial state cannot be made to satisfy the constraints.
  RunSummary run(const State& initial, const Output& output, const GoOn& go_on = {}, Piece piece = {}, Jump jump = {});

 private:
  void advance(Run& run, const Output& output, const GoOn& go_on, RunSummary& summary);
  void hand_out(Run& run, double t, const Output& output);
  void watch_paths(Run& run, RunSummary& summary);

  SystemWorkspace& workspace_;
  Settings settings_;
  PathWatch paths_;
  std::unique_ptr<Run> run_;  // the next one; made at once, so that settings are checked
  Piece piece_;
  double last_output_ = 0.0;
};

}  // namespace cardan
