// Generalized-alpha on Lie groups (Bruels and Cardona 2010; Arnold, Bruels and Cardona 2015): order 2, with damping of
// high frequencies chosen by the spectral radius r at infinity.
//   q1 = q0 moved by h (v0 + h (1/2 - beta) s0 + h beta s1),  v1 = v0 + h (1 - gamma) s0 + h gamma s1,
//   (1 - am) s1 + am s0 = (1 - af) a1 + af a0,  a the true acceleration and s a smoothed one that is remembered;
//   am = (2r - 1)/(r + 1), af = r/(r + 1), gamma = 1/2 + af - am, beta = (gamma + 1/2)^2 / 4.
#pragma once

#include "cardan/integrate/internal/newton.hpp"
#include "cardan/integrate/internal/newton_system.hpp"
#include "cardan/integrate/internal/stepper.hpp"

namespace cardan {

class GeneralizedAlpha : public Stepper {
 public:
  GeneralizedAlpha(Problem& problem, const IntegratorOptions& options);

 protected:
  void restart() override { accelerations_known_ = false; }
  void forget() override { accelerations_known_ = false; }
  void advance(double h, double t1) override;

 private:
  /// Computes increment, state and smoothed rates that belong to the acceleration and the rates of z at the end.
  void evaluate_step(double h, const Eigen::VectorXd& a1);
  void residual(double t1, const Eigen::VectorXd& unknowns, Eigen::VectorXd& r);

  const double am_, af_, gamma_, beta_;
  const Eigen::Index n_, nz_, m_;
  NewtonSystem system_;
  std::vector<double> a_, lambda_;  // where the residual was asked for last
  /// Accelerations and rates of z; unknowns: those at the end, then lambda.
  Eigen::VectorXd a0_, s0_, s1_, x_, unknowns_, r_;
  Eigen::MatrixXd T_;
  bool accelerations_known_ = false;
};

}  // namespace cardan
