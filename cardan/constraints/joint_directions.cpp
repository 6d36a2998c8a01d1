#include "cardan/constraints/joint_directions.hpp"

namespace cardan {

void split_directions(const JointMotion& joint, Directions& S_inverse, Directions& T) {
  const int n = joint.nv;
  Directions S(6, n);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 6; ++c) S(c, i) = joint.S[i][c];
  const Eigen::HouseholderQR<Directions> qr(S);
  Eigen::Matrix<double, 6, 6> Q = Eigen::Matrix<double, 6, 6>::Identity();
  if (n > 0) Q.applyOnTheLeft(qr.householderQ());
  T = Q.rightCols(6 - n);
  S_inverse = Q.leftCols(n);
  if (n == 0) return;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> R = qr.matrixQR().topRows(n);
  R.triangularView<Eigen::Upper>().transpose().solveInPlace<Eigen::OnTheRight>(S_inverse);  // (R^-1 Q1')' = Q1 R^-T
}

}  // namespace cardan
