// Variational integrator: the step is the stationary point of a discrete action, so it is symplectic, keeps momentum
// where the mechanism does, and its energy stays in a band for ever (dynamics/internal/discrete_tree.hpp has the
// equations). Order 2 in positions and velocities; every step solves its equations by Newton's method in linear time.
//
// A step needs q and v only, since p = H v says what the steps before have left; where nothing has touched the state in
// between, p itself is carried on. Trees without loops and prescribed motions run on code of their own
// (dynamics/internal/discrete_step_code.hpp), all others on the loop over the bodies. Forces kick by half the step at
// either end; a damper of a joint takes half of D x at either end, so that it is implicit. Loops hold at the end of the
// step, with multipliers along J of its start (SHAKE); velocities are projected in the metric of H (RATTLE).
#pragma once

#include "cardan/dynamics/internal/discrete_step_code.hpp"
#include "cardan/dynamics/internal/discrete_tree.hpp"
#include "cardan/dynamics/mechanism.hpp"
#include "cardan/integrate/internal/stepper.hpp"

#include <array>

namespace cardan {

class Variational final : public Stepper {
 public:
  Variational(Problem& problem, const IntegratorOptions& options);

 protected:
  void restart() override { forget(); }
  void forget() override;
  void corrected() override { momentum_known_ = false; }
  void advance(double h, double t1) override;

 private:
  /// Makes a step from state_ to next_ if the equations can be solved.
  [[nodiscard]] bool solve_step(double t0, double t1);
  void guess_increment(double h, int order);
  /// Newton's method on the increment; closes the loops at t1.
  [[nodiscard]] bool solve_increment(double h, double t1);
  /// Computes the correction dx_ of next_.q, by a fresh factor or the last one; `gap` is how far loops are open. False
  /// where a body turns too far.
  [[nodiscard]] bool correct_increment(double h, double t1, bool fresh, double& gap);
  [[nodiscard]] bool correct_by_code(double h, bool fresh);
  void close_loops(double t1, bool fresh, double& gap);
  /// v at the end of the step: H v = p + half a kick, which may depend on v.
  void find_velocity(double h, double t1);
  void find_velocity_by_code(double h, double t1);
  /// Computes the forces but for the dampers of joints, which the step treats in its own way.
  void evaluate_forces(double t, const State& state, std::vector<double>& out);
  /// Computes them at the end of the step into end_force_, at the velocities that obey the constraints: those that the
  /// momentum alone gives are off by half an impulse of the loops.
  void evaluate_end_forces(double t1);
  void follow(double t, State& state);
  void take_tree();
  void begin_equations(double h);

  Mechanism* mechanism_;
  const int rows_;
  std::unique_ptr<DiscreteTree<double, FullTurn>> tree_;
  std::unique_ptr<DiscreteStepCode> code_;
  bool use_code_ = false;     // in this step
  std::vector<bool> driven_;  // by velocity
  bool any_driven_ = false;
  std::vector<double> damping_, x_, dx_, r_, force_, end_force_, p_, x_driven_, diagonal_, kick_;
  bool force_known_ = false, momentum_known_ = false;  // force_ and p_ of state_
  std::array<std::vector<double>, 4> history_;         // increments of the last steps, the latest first
  int known_steps_ = 0;
  double history_step_ = 0.0;
  State closed_;
  Eigen::VectorXd gap_, lambda_;
  Eigen::MatrixXd J0_, J1_, Z_;
};

}  // namespace cardan
