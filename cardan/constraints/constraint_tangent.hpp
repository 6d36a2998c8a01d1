// Derivatives of constraint rows in joint coordinates, exact: all rows run on dual numbers, eight directions of the
// tangent space in each pass over the tree. With multipliers lambda and accelerations a held constant,
//   pull  = d(J' lambda)/dq,   rows by q, v = d(J a - k + 2 alpha drift + beta^2 gap) by q, v.
#pragma once

#include "cardan/constraints/constrained_dynamics.hpp"

#include <Eigen/Dense>

#include <memory>

namespace cardan {

class ConstraintTangent {
 public:
  explicit ConstraintTangent(const ConstraintSet& set);
  ~ConstraintTangent();
  ConstraintTangent(const ConstraintTangent&) = delete;
  ConstraintTangent& operator=(const ConstraintTangent&) = delete;

  /// Null: not wanted.
  struct Want {
    Eigen::MatrixXd *pull_by_q = nullptr, *rows_by_q = nullptr, *rows_by_v = nullptr;
  };
  /// Evaluates the set at the state and sets what is wanted there.
  void compute(ConstraintSet& set, const Baumgarte& stabilization, double t, In<double> q, In<double> v, In<double> a,
               In<double> lambda, const Want& want);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace cardan
