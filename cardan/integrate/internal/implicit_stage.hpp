// The equation of every stage of BDF and diagonally implicit Runge-Kutta methods, on the joints' manifolds: the unknown
// increment x from the configuration q0, and the multipliers lambda of constraints, satisfy
//   v = T(x) (x + c) / g,  a = (v - p) / g,  H a - f - J' lambda = 0,  J a = k,  z - p_z = g z_dot(q, v, z),
// where g is the step times the method's coefficient and c, p, p_z come from earlier steps. In flat coordinates T = 1.
// Newton's method works on the balance of forces times g^2, found by inverse dynamics in linear time.
#pragma once

#include "cardan/integrate/integrator.hpp"
#include "cardan/integrate/internal/newton.hpp"
#include "cardan/integrate/internal/newton_system.hpp"

namespace cardan {

class ImplicitStage {
 public:
  ImplicitStage(Problem& problem, const IntegratorOptions& options);

  double t = 0.0, g = 0.0;
  std::vector<double> q0;
  Eigen::VectorXd c, p, p_z;

  /// Solves for x from a first guess, and for z from that in `out`, which becomes the state there. False where Newton's
  /// method does not converge; worst() is then the velocity whose equation is least satisfied.
  [[nodiscard]] bool solve(Eigen::VectorXd& x, State& out);
  int worst() const;
  long evaluations = 0;

 private:
  void residual(const Eigen::VectorXd& unknowns, State& at, Eigen::VectorXd& r);
  void correction(const Eigen::VectorXd& unknowns, const State& at, const Eigen::VectorXd& r, Eigen::VectorXd& change);

  Problem& problem_;
  NewtonLimits limits_;
  NewtonSystem system_;
  const Eigen::Index n_, nz_, m_;
  std::vector<double> a_, lambda_;
  Eigen::VectorXd unknowns_, r_, rate_;  // x, then z in units of x, then g^2 lambda
  Eigen::MatrixXd T_, V_;
};

}  // namespace cardan
