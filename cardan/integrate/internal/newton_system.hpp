// The linear system of Newton's method for a problem with constraints and element states:
//   [A -J' -F_z; B 0 0; -c G_x 0 1 - c G_z] (dx, dmu, dz) = -(r, s, r_z),
// A and B the derivatives of the balance of forces and of the rows, F_z that of the forces by z, G those of the rates
// of z, and c the gain of the method: z changes by c z_dot. The states are eliminated first: K and D become
//   K + F_z (1 - c G_z)^-1 c G_q,   D + F_z (1 - c G_z)^-1 c G_v.
// Where rows repeat one another the multipliers of least norm are found.
#pragma once

#include "cardan/dynamics/problem.hpp"

namespace cardan {

/// Takes states of elements out of a linear system: forces as if z had followed q and v within the step.
class StateElimination {
 public:
  /// Linearizes forces and rates at constant a and lambda, for a method with this gain.
  void linearize(Problem& problem, const Point& at, In<double> a, In<double> lambda, double gain);
  /// Adds what the states do to K and D.
  void add_to(Eigen::MatrixXd& K, Eigen::MatrixXd& D) const;
  /// Computes the forces of a change of z alone, by which the z's own equation is off.
  Eigen::VectorXd force(const Eigen::VectorXd& r_z) const { return tangent_.f_by_z * inverse_.solve(r_z); }
  /// Computes the change of z that follows from its residual and the changes of q and v.
  Eigen::VectorXd change(const Eigen::VectorXd& r_z, const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) const;

 private:
  StateTangent tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> inverse_;  // of 1 - c G_z
  double gain_ = 0.0;
};

/// What an implicit method asks of a problem at one point, and the solution of the system made of it.
class NewtonSystem {
 public:
  explicit NewtonSystem(Problem& problem);

  /// Linearizes the problem at constant a and lambda; `gain`: dz = gain d(z_dot) in the method.
  void linearize(const Point& at, In<double> a, In<double> lambda, double gain);
  /// Solves for a change of the unknown x with da = A_x dx, dv = V dx, dq = Q dx; the balance of forces and the rows
  /// are scaled by `weight`. Residuals are stacked: r, r_z (of dz - gain z_dot), s; out is (dx, dz, dmu).
  void solve(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q, double weight,
             const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const;

 private:
  /// Solves with the states eliminated: residuals r, s, and out (dx, dmu).
  void solve_balance(const Eigen::MatrixXd& A_x, const Eigen::MatrixXd& V, const Eigen::MatrixXd& Q, double weight,
                     const Eigen::VectorXd& residuals, Eigen::VectorXd& out) const;

  Problem& problem_;
  const int n_, m_, nz_;
  Eigen::MatrixXd H_, K_, D_, J_, pull_by_q_, rows_by_q_, rows_by_v_;
  StateElimination states_;
};

}  // namespace cardan
