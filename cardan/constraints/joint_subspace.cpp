#include "cardan/constraints/joint_subspace.hpp"

#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>

namespace cardan {

namespace {

MotionBasis subspace(const JointMotion& joint) {
  MotionBasis S(6, joint.nv);
  for (int i = 0; i < joint.nv; ++i)
    for (int c = 0; c < 6; ++c) S(c, i) = joint.S[i][c];
  return S;
}

Eigen::CompleteOrthogonalDecomposition<MotionBasis> factored(const MotionBasis& S) {
  Eigen::CompleteOrthogonalDecomposition<MotionBasis> out(6, S.cols());
  out.setThreshold(kRankTolerance);
  out.compute(S);
  return out;
}

}  // namespace

void split_subspace(const JointMotion& joint, int rank, double length, MotionBasis& S_inverse, MotionBasis& T) {
  S_inverse.resize(6, joint.nv);
  Eigen::Matrix<double, 6, 6> Q = Eigen::Matrix<double, 6, 6>::Identity();
  if (joint.nv > 0) {
    // angles as lengths, so that all six components of a motion have one unit
    MotionBasis S = subspace(joint);
    S.topRows<3>() *= length;
    const auto factor = factored(S);
    Q.applyOnTheLeft(factor.householderQ());
    S_inverse = factor.pseudoInverse().transpose();
    S_inverse.topRows<3>() *= length;
  }
  T = Q.rightCols(6 - rank);
  T.topRows<3>() *= length;
}

void SplitSubspace::update(const JointMotion& joint, int rank, double length) {
  const MotionBasis now = subspace(joint);
  if (T.cols() == 6 - rank && S.cols() == now.cols() && S == now) return;
  S = now;
  split_subspace(joint, rank, length, S_inverse, T);
}

int subspace_dimension(const Joint& joint) {
  if (joint.nv() == 0) return 0;
  std::vector<double> q(static_cast<std::size_t>(joint.nq())), v(6);
  joint.neutral(q.data());
  int most = 0;
  for (int sample = 0; sample < 4; ++sample) {  // one of them is no singular pose
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.37 + 0.21 * static_cast<double>(i * i);
    joint.integrate(q.data(), v.data(), 1.0, q.data());
    most = std::max(most, static_cast<int>(factored(subspace(joint_motion(joint, q.data(), v.data()))).rank()));
  }
  return most;
}

}  // namespace cardan
