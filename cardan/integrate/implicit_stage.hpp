// The equation of every stage of BDF and diagonally implicit Runge-Kutta methods, on the joints' manifolds: the unknown
// increment x from the configuration q0 satisfies
//   v = T(x) (x + c) / g,   v = p + g a(t, q0 moved by x, v),
// where g is the step times the method's coefficient and c, p come from earlier steps. In flat coordinates T = 1.
// Newton's method works on r = g (v - p) - g^2 a, or, where options.newton_residual sets a limit for it, on M r: the
// solution is the same, but not the way there, and where it stops.
#pragma once

#include "cardan/integrate/dynamics.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/integrate/newton.hpp"
#include "cardan/model/workspace.hpp"

#include <Eigen/Dense>

namespace cardan {

class ImplicitStage {
 public:
  ImplicitStage(Dynamics& dynamics, const IntegratorOptions& options);

  double t = 0.0, g = 0.0;
  std::vector<double> q0;
  Eigen::VectorXd c, p;

  /// x: the first guess, then the solution; `out` is the state there. False where Newton's method does not converge;
  /// worst() is then the velocity whose equation is least satisfied.
  bool solve(Eigen::VectorXd& x, State& out);
  int worst() const;
  const std::vector<double>& acceleration() const { return a_; }
  long evaluations = 0;

 private:
  void linearize(const State& at);
  void add_mass_derivative(const State& at);
  void residual(const Eigen::VectorXd& x, State& at, Eigen::VectorXd& r);
  void correction(const Eigen::VectorXd& x, const State& at, const Eigen::VectorXd& r, Eigen::VectorXd& dx);

  Dynamics& dynamics_;
  NewtonLimits limits_;
  std::vector<double> a_;
  const bool balance_;  // Newton's method works on M r
  Workspace<double> w_;
  Eigen::VectorXd f_, r_, rate_, raw_;
  Eigen::MatrixXd M_, K_, D_, T_, V_;
};

}  // namespace cardan
