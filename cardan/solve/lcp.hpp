// Small complementarity and quadratic problems, exactly: for comparisons, and where few rows are to be certain.
#pragma once

#include <Eigen/Dense>

namespace cardan {

/// Finds z >= 0 with w = M z + q >= 0 and w'z = 0 by Lemke's method.
struct LcpSolution {
  enum class Status { solved, ray, too_long };  // ray: certifies, for copositive M, that there is no solution
  Status status = Status::too_long;
  Eigen::VectorXd z;
  int pivots = 0;
};
LcpSolution solve_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q);

/// Finds the x that minimizes x'H x / 2 + c'x with G x >= h, H symmetric and positive definite, and the multipliers z
/// of the rows of G: through the complementarity problem of its dual.
struct QpSolution {
  LcpSolution::Status status = LcpSolution::Status::too_long;
  Eigen::VectorXd x, z;
};
QpSolution solve_qp(const Eigen::MatrixXd& H, const Eigen::VectorXd& c, const Eigen::MatrixXd& G,
                    const Eigen::VectorXd& h);

}  // namespace cardan
