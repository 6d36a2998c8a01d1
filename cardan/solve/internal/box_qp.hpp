// Minimizes x'A x / 2 - b'x with |x_i| <= bound_i, where A is symmetric, positive semidefinite and may be singular, and
// b lies in the range of A (friction: A = T M^-1 T', b = T v, with more tangents than freedoms). A x is then unique, x
// need not be.
//
// Sweeps over single entries find a start, then an active set: with r = b - A x, x is optimal where r_i = 0 inside the
// box and r_i points outward on its faces. Free entries move by the least-norm solution of A_FF d = r_F, at most to the
// first face that they meet; then the entry on a face whose r points inward most is freed. Each move lowers the
// objective; where moves of length zero repeat, the first such entry is taken (Bland's rule).
#pragma once

#include <Eigen/Dense>

namespace cardan {

struct BoxQpSolution {
  Eigen::VectorXd x;
  bool solved = false;
  int rounds = 0;
  double residual = 0.0;  // largest r_i that is not as it is to be, relative to the largest |b_i|
};
/// `start` is clipped to the box; empty: zero.
BoxQpSolution solve_box_qp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& bound,
                           const Eigen::VectorXd& start = {});

}  // namespace cardan
