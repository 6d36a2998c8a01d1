// Steps through time. Every method is made by name; docs/integrators.md says which to choose.
#pragma once

#include "cardan/dynamics/integrator_options.hpp"
#include "cardan/dynamics/problem.hpp"
#include "cardan/dynamics/step_failure.hpp"
#include "cardan/model/state.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cardan {

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual const char* name() const = 0;
  virtual bool is_adaptive() const = 0;

  /// Begins at this time and state. Call again when the state is changed from outside; adaptive methods keep their step
  /// size when it is the present time.
  virtual void start(double t, const State& state) = 0;
  /// One step, never beyond t_max. Throws StepFailure where it cannot go on.
  virtual void step(double t_max) = 0;
  virtual double time() const = 0;
  /// Where the last step began.
  virtual double previous_time() const = 0;
  virtual const State& state() const = 0;
  /// Computes the state at any time of the last step; after a step that failed, the present state.
  virtual void interpolate(double t, State& out) const = 0;
  /// Called before a state within the last step, or at its end, is handed out: for methods that log more than states.
  virtual void prepare_output(double, const State&) {}

  long accepted() const { return accepted_; }
  long rejected() const { return rejected_; }
  /// Evaluations of the acceleration; a linearization counts as one.
  long evaluations() const { return evaluations_; }

 protected:
  long accepted_ = 0, rejected_ = 0, evaluations_ = 0;
};

/// Throws std::invalid_argument on an unknown name, or options that make no sense. The problem must outlive it.
std::unique_ptr<Integrator> make_integrator(const std::string& name, Problem& problem,
                                            const IntegratorOptions& options = {});
const std::vector<std::string>& integrator_names();
/// Returns the name by which a method is known here: "rk45" and "ode45" mean dopri5. Any other stays as it is.
const std::string& integrator_name(const std::string& name);
/// Lists every word that users may write: all methods, also those that this build lacks, and names from elsewhere.
const std::vector<std::string>& integrator_words();

}  // namespace cardan
