// What all integrators share: time, states, dense output, and the checks that turn nonsense into a StepFailure.
#pragma once

#include "cardan/integrate/dense_output.hpp"
#include "cardan/integrate/integrator.hpp"

namespace cardan {

class Stepper : public Integrator {
 public:
  Stepper(const char* name, Dynamics& dynamics, const IntegratorOptions& options, Chart chart);

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
  /// From state_ at time_ to next_ at t1 = time_ + h, and dense_ in between; where it throws, dense_ is as before.
  virtual void advance(double h, double t1) = 0;
  /// Called when rotation vectors of state_ were shortened, so that what is remembered of earlier steps is void.
  virtual void forget() {}
  /// Called when the dynamics have corrected next_, if only by a little.
  virtual void corrected() {}

  const Model& model() const { return dynamics_.model(); }
  /// The acceleration, counted.
  void evaluate(double t, const std::vector<double>& q, const std::vector<double>& v, std::vector<double>& a);
  /// Throws StepFailure that names the first joint whose number is not finite.
  void require_finite(double t, const State& state, const std::vector<double>& a) const;
  /// Throws StepFailure that names the joint at which the model's mass matrix is singular.
  void require_regular(double t, const State& state) const;
  [[noreturn]] void fail(double t, const std::string& joint, const std::string& reason) const;
  /// Makes dense_ of the step to next_: cubic in the configuration, linear in the velocity.
  void interpolate_step(double h);
  /// Makes next_ the state, at this time.
  void accept(double t);
  void refresh_rotation_vectors();

  Dynamics& dynamics_;
  const IntegratorOptions options_;
  const Chart chart_;
  double time_ = 0.0, previous_time_ = 0.0;
  State state_, next_;
  DenseOutput dense_;

 private:
  const char* name_;
  double start_time_ = 0.0;
  long full_steps_ = 0;  // since start(): time is counted, not added up
  std::vector<double> x_, rate0_, rate1_;
};

/// A vector with an entry for each velocity.
std::vector<double> velocities(const Model& model);

}  // namespace cardan
