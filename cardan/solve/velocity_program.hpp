// Minimizes v'M v / 2 - f'v with G v = g and C v >= c, M symmetric and positive definite: the velocities of one step
// under loops (G) and contacts (C) without friction (Sueda's notes, 2.119 and 2.120). The equality rows are eliminated
// with multipliers of least norm, so that they may repeat one another; what remains for the multipliers of C is a
// complementarity problem for Lemke's method.
#pragma once

#include "cardan/math/orthogonal.hpp"

#include <Eigen/Dense>

namespace cardan {

struct RowsOfProgram {
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  Eigen::MatrixXd C;
  Eigen::VectorXd c;
};

class VelocityProgram {
 public:
  /// Factors M and the rows. False where M is not positive definite.
  [[nodiscard]] bool prepare(const Eigen::MatrixXd& M, RowsOfProgram rows);
  /// False where no velocity satisfies the rows.
  [[nodiscard]] bool solve(const Eigen::VectorXd& f);

  const Eigen::VectorXd& v() const { return v_; }
  /// Multipliers, M v = f + G' lambda + C' z.
  const Eigen::VectorXd& lambda() const { return lambda_; }
  const Eigen::VectorXd& z() const { return z_; }
  const RowsOfProgram& rows() const { return rows_; }
  /// M^-1 x.
  template <class X>
  Eigen::MatrixXd inverse_times(const X& x) const {
    return factor_.solve(x);
  }

 private:
  RowsOfProgram rows_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Orthogonal schur_;                         // of G M^-1 G'
  Eigen::MatrixXd G_response_, C_response_;  // M^-1 G', and of C with the rows of G held
  Eigen::MatrixXd C_lambda_;                 // change of lambda for a unit z
  Eigen::MatrixXd A_;
  Eigen::VectorXd v_, lambda_, z_;
};

}  // namespace cardan
