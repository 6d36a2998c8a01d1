// (H - h D - h^2 K) (v1 - v0) = h (f + h K v0), then q1 = q0 moved by h v1: one linear solve a step (Sueda, Eqs. 1.30
// and 2.77). States z of forces go along: (1 - h G_z) (z1 - z0) = h (g + G_q h v1 + G_v (v1 - v0)), and f is taken at
// z1. In `linearly_implicit_euler` K and D are those of springs and dampers, and everything else is explicit; in
// `rosenbrock_euler` they are those of all forces. Forces that depend on time are taken at the step's end; constraints
// hold for v1 by impulses (Eq. 2.79).
#pragma once

#include "cardan/integrate/internal/newton_system.hpp"
#include "cardan/integrate/internal/stepper.hpp"

namespace cardan {

class LinearlyImplicitEuler : public Stepper {
 public:
  LinearlyImplicitEuler(const char* name, Problem::Implicit implicit, Problem& problem,
                        const IntegratorOptions& options);

 protected:
  void advance(double h, double t1) override;

 private:
  /// Solves for dv_ with matrices of the whole problem.
  void solve_dense(double h, double t1);
  /// Adds the impulses J' mu that lead to J v1 = what it is to be.
  void satisfy_constraints(const Eigen::PartialPivLU<Eigen::MatrixXd>& implicit);

  const Problem::Implicit implicit_;
  Eigen::MatrixXd H_, K_, D_, J_;
  Eigen::VectorXd f_, velocity_;
  std::vector<double> a_, dv_, x_;
  StateElimination states_;
};

}  // namespace cardan
