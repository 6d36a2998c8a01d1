// Independent coordinates of loops that the user chooses (section 8.11 without a formula for gamma). With the columns
// of J sorted into dependent and independent ones, J_d v_d + J_i y_dot = 0 and J_d a_d + J_i y_ddot = k give G and g,
// and Newton's method on the dependent coordinates gives gamma. Rows may repeat one another; where J_d loses rank the
// chosen coordinates do not tell how the mechanism goes on (a dead point), which is said by name.
#pragma once

#include "cardan/constraints/constraint_set.hpp"
#include "cardan/dynamics/independent_coordinates.hpp"
#include "cardan/dynamics/state_space.hpp"

namespace cardan {

class LoopCoordinates final : public IndependentCoordinates {
 public:
  /// `joints` are names of joints whose velocities are independent; the space is the model's and must outlive it.
  /// Throws std::invalid_argument on names that are none.
  LoopCoordinates(const Model& model, const StateSpace& space, const std::vector<std::string>& joints);

  void close(double* q) const override;
  void expand(const double* q, const double* y_dot, double* v) const override;
  void expand(const double* q, const double* v, const double* y_ddot, double* a) const override;
  void matrix(const double* q, Eigen::MatrixXd& G) const override;

 private:
  /// Evaluates the constraints and the columns of J.
  void evaluate(const double* q, const double* v) const;
  /// Solves J_d x = right. Throws std::runtime_error where J_d has lost rank.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;

  const StateSpace& space_;
  std::string names_;
  std::vector<int> dependent_;
  mutable ConstraintSet set_;  // scratch; belongs to one thread
  mutable Eigen::MatrixXd J_, J_d_, J_i_;
  mutable std::vector<double> zero_, x_, moved_;
};

}  // namespace cardan
