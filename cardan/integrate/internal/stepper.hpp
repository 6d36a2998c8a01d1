// What all integrators share: time, states, dense output, and the checks that turn nonsense into a StepFailure.
#pragma once

#include "cardan/integrate/integrator.hpp"
#include "cardan/integrate/internal/dense_output.hpp"

#include <span>

namespace cardan {

class Stepper : public Integrator {
 public:
  Stepper(const char* name, Problem& problem, const IntegratorOptions& options, Chart chart);

  const char* name() const override { return name_; }
  bool is_adaptive() const override { return false; }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  double time() const override { return time_; }
  double previous_time() const override { return previous_time_; }
  const State& state() const override { return state_; }
  void interpolate(double t, State& out) const override;

 protected:
  /// Called by start(): state_ is new.
  virtual void restart() {}
  /// Moves from state_ at time_ to next_ at t1 = time_ + h.
  virtual void advance(double h, double t1) = 0;
  /// Fills the dense output of the last step, from `previous` to state_; called when it is first asked for. By default
  /// cubic in the configuration, linear in the velocity.
  virtual void build_dense_output(const State& previous, double h, DenseOutput& out) const;
  /// Called when state_ was rewritten in other coordinates, so that what is remembered of earlier steps is void.
  virtual void forget() {}
  /// Called when the problem has corrected next_, if only by a little.
  virtual void corrected() {}

  const StateSpace& space() const { return problem_.space(); }
  /// Evaluates the acceleration, counted; `rates` has an entry for each velocity, then one for each of the z.
  void evaluate(double t, const State& state, std::span<double> rates);
  /// Throws StepFailure that names the first joint whose number is not finite.
  void require_finite(double t, const State& state, std::span<const double> a) const;
  /// Throws StepFailure that names the joint whose inertia vanishes, or whatever else the problem knows.
  void require_regular(double t, const State& state) const;
  /// Throws StepFailure where the acceleration of a state is not finite or its mass matrix is singular: why an implicit
  /// equation may have no solution.
  void explain(double t, const State& state);
  /// Throws StepFailure for methods that cannot integrate first-order states of elements.
  void refuse_element_states() const;
  [[noreturn]] void fail(double t, const std::string& joint, const std::string& reason) const;
  /// Makes next_ the state, at this time: projects it onto the constraints first.
  void accept(double t);
  /// Call at the start of a step: forgets the step before, and rewrites state_ in better coordinates where it comes
  /// near a singularity.
  void begin_step();

  Problem& problem_;
  const IntegratorOptions options_;
  const Chart chart_;
  double time_ = 0.0, previous_time_ = 0.0;
  State state_, next_;  // next_ is the previous state between two steps
  const int nv_, nz_;   // velocities, and states of elements

 private:
  const char* name_;
  double start_time_ = 0.0;
  long full_steps_ = 0;  // since start(): time is counted, not added up
  mutable DenseOutput dense_;
  mutable std::vector<double> x_scratch_, rate0_scratch_, rate1_scratch_;  // for the dense output
  mutable bool dense_is_built_ = false;
};

bool all_finite(std::span<const double> values);

}  // namespace cardan
