// Runs a system through time and hands out its states at regular intervals.
#pragma once

#include "cardan/integrate/integrator.hpp"
#include "cardan/simulate/system.hpp"

#include <functional>

namespace cardan {

struct SimulationOptions {
  double duration = 10.0;      // s
  double output_every = 0.01;  // s
  std::string integrator = "munthe_kaas_4";
  IntegratorOptions steps;
};

struct RunSummary {
  enum class End { done, stopped, failed };
  End end = End::done;
  std::string failure;    // a StepFailure's own words
  double end_time = 0.0;  // s
  long steps = 0, rejected_steps = 0, evaluations = 0;
  double wall_time = 0.0;                 // s
  double largest_constraint_error = 0.0;  // m or rad, of loops and couplings after any step
};

class Simulator {
 public:
  /// Receives the states in order of time; the first at 0, the last where the run ended.
  using Output = std::function<void(double t, const State& state)>;
  /// Asked after every step; false ends the run.
  using GoOn = std::function<bool(double t)>;

  /// Throws std::invalid_argument on options that make no sense. The system must outlive it.
  Simulator(System& system, SimulationOptions options);

  const SimulationOptions& options() const { return options_; }
  /// A step that fails ends the run; what was computed until then has been handed out. Throws std::runtime_error where
  /// the initial state cannot be made to obey the constraints.
  RunSummary run(const State& initial, const Output& output, const GoOn& go_on = {});

 private:
  void advance(Integrator& integrator, const Output& output, const GoOn& go_on, RunSummary& summary);
  void hand_out(const Integrator& integrator, double t, const Output& output);

  System& system_;
  SimulationOptions options_;
  State state_;
  double last_output_ = 0.0;
};

}  // namespace cardan
