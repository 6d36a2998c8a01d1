// How the functions q = gamma(y), v = G y_dot, a = G y_ddot + g of independent coordinates change, from the rows that
// they satisfy. With J = [J_d J_i] by dependent and independent velocities, J v = 0 and J a = k, all rows being exact
// on dual numbers, the implicit function theorem gives for a displacement dq = G dy
//   J_d dv_d = -d(J v)/dq G dy,   J_d da_d = -d(J a - k)/dq G dy - d(J a - k)/dv dv,   dv_i = da_i = 0,
// and for a constant force f, with J_d' lambda = f_d,
//   d(G' f) = -G' d(J' lambda)/dq G dy.
#pragma once

#include "cardan/constraints/constraint_tangent.hpp"
#include "cardan/dynamics/independent_coordinates.hpp"
#include "cardan/dynamics/problem.hpp"
#include "cardan/math/orthogonal.hpp"

namespace cardan {

class RowCurvature {
 public:
  /// Of the loops and couplings of the model, which these coordinates satisfy.
  RowCurvature(const Model& model, const IndependentCoordinates& coordinates);

  /// Derivatives by independent coordinates and velocities.
  struct Of {
    Eigen::MatrixXd v_by_q, a_by_q, a_by_v, pull;  // pull: of G' f at constant f
  };
  /// At a state of the model that accelerates by a, with G there and a force f.
  Of compute(const Point& at, In<double> a, const Eigen::VectorXd& f, const Eigen::MatrixXd& G);

 private:
  /// Adds zeros for the independent velocities to -J_d^+ right.
  Eigen::MatrixXd answer(const Eigen::MatrixXd& right) const;

  std::vector<int> dependent_;
  ConstraintSet set_;
  ConstraintTangent tangent_;
  Eigen::MatrixXd J_;
  Orthogonal factor_;  // of J_d
};

}  // namespace cardan
