// One run under way, moved step by step. What every step of a motion must heed is here, whoever asks for it (a whole
// run, a page that follows the clock, a program that writes inputs): texts that jump, forces that look now and then,
// joints that come to their limits, choices by the state.
#pragma once

#include "cardan/integrate/integrator.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cardan {

class Run {
 public:
  /// Throws std::invalid_argument on settings that make no sense. The workspace must outlive it.
  Run(SystemWorkspace& workspace, const Settings& settings);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Told of states of the model before and after velocities jump with texts of time; t is just after it.
  using Jump = std::function<void(double t, const State& before, const State& after)>;
  void on_jump(Jump jump) { jump_ = std::move(jump); }

  /// Begins at a state of the model, which is brought to the constraints. Throws std::runtime_error where that cannot
  /// be done, or where the mass matrix is singular and nothing makes up for it.
  void start(double t, const State& initial);
  /// Goes on from where it is after something was changed from outside, such as inputs: what the method remembers of
  /// the steps before is void.
  void restart();
  /// Makes one step, never beyond t_max. Throws StepFailure where it cannot go on; the last step then stays.
  void step(double t_max);

  /// Whether the method chooses its steps itself.
  bool is_adaptive() const { return integrator_->is_adaptive(); }
  double time() const { return integrator_->time(); }
  /// Where the last step began.
  double previous_time() const { return integrator_->previous_time(); }
  /// The state of the model at a time within the last step.
  State at(double t);
  /// The same as it is handed out: at the time of a sample as forces have seen it, with what contacts log there.
  /// Throws StepFailure, which names the joint, where the scene's coordinates do not describe it.
  State output(double t);
  /// True if all numbers of the present state are finite, in the scene's coordinates too.
  bool is_finite() const;
  /// How far constraints are from holding at present (m or rad).
  double violation();

  /// Counts since the start.
  long accepted() const { return accepted_ + integrator_->accepted(); }
  long rejected() const { return rejected_ + integrator_->rejected(); }
  long evaluations() const { return evaluations_ + integrator_->evaluations(); }
  /// What a user should know of how the run went, a line each.
  std::vector<std::string> notes() const;

 private:
  struct Watches;

  void require_regular(double t, const State& start) const;
  /// Makes a step, or prepares for making it again: then false.
  bool try_step(double t_max);
  void pass_breaks();
  void make_watches();
  /// From here on limits hold: the step from `before` is to be made again, with laws.
  void hold_limits(double before, const State& from);
  /// The state of the problem at a time within the last step.
  State problem_at(double t) const;

  SystemWorkspace& workspace_;
  const Settings settings_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Watches> watches_;
  Jump jump_;
  bool watches_limits_ = false;
  std::optional<State> seen_;                           // the present state after forces have looked, where they did
  long accepted_ = 0, rejected_ = 0, evaluations_ = 0;  // of integrators before this one, and of steps made again
};

}  // namespace cardan
