// (M - h D - h^2 K) (v1 - v0) = h (f + h K v0), then q1 = q0 moved by h v1: one linear solve a step (Sueda, Eqs. 1.30
// and 2.77, with f all forces and K, D their derivatives). Forces that depend on time are taken at the step's end;
// constraints hold for v1 by impulses (Eq. 2.79).
#pragma once

#include "cardan/integrate/stepper.hpp"

#include <Eigen/Dense>

namespace cardan {

class LinearlyImplicitEuler : public Stepper {
 public:
  LinearlyImplicitEuler(Dynamics& dynamics, const IntegratorOptions& options);

 protected:
  void advance(double h, double t1) override;

 private:
  void obey(const Eigen::PartialPivLU<Eigen::MatrixXd>& implicit, double t1);

  Eigen::MatrixXd M_, K_, D_;
  Eigen::VectorXd f_;
  std::vector<double> dv_;
};

}  // namespace cardan
