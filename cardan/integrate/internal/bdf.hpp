// Backward differentiation of orders 1 (implicit Euler) and 2 for H(q) a = f: in flat coordinates
//   BDF1: q1 - q0 = h v1,                     v1 - v0 = h a1,
//   BDF2: q2 - 4/3 q1 + 1/3 q0 = 2/3 h v2,    v2 - 4/3 v1 + 1/3 v0 = 2/3 h a2,
// on the joints' manifolds the same for the increment in the chart at the last configuration. BDF2 begins, and goes on
// after a step of another length, with the two-stage SDIRK method of order 2 (Alexander, gamma = 1 - 1/sqrt 2).
#pragma once

#include "cardan/integrate/internal/implicit_stage.hpp"
#include "cardan/integrate/internal/stepper.hpp"

namespace cardan {

class Bdf : public Stepper {
 public:
  Bdf(int order, Problem& problem, const IntegratorOptions& options);

  using Stepper::start;
  /// Begins with a past: BDF2 then goes on from the two states, if its steps are as long as from one to the other.
  void start(double t, const State& state, double previous_t, const State& previous);

 protected:
  void restart() override { known_step_ = 0.0; }
  void forget() override { known_step_ = 0.0; }
  void advance(double h, double t1) override;

 private:
  void backward_euler(double h, double t1);
  void two_step(double h, double t1);
  void diagonally_implicit(double h, double t1);
  void solve(double t, State& out);

  const int order_;
  ImplicitStage stage_;
  Eigen::VectorXd x_;
  State before_, middle_;    // the state one step back, and in the middle of an SDIRK step
  double known_step_ = 0.0;  // length of the step from before_, or 0
};

}  // namespace cardan
