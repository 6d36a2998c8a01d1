#include "cardan/algorithms/handles.hpp"

#include "cardan/spatial/articulated_inertia.hpp"
#include "cardan/spatial/subspace.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("join: ") + what);
}

/// The rows of these handles.
std::vector<int> rows(const std::vector<int>& handles) {
  std::vector<int> out;
  for (const int h : handles)
    for (int i = 0; i < 6; ++i) out.push_back(6 * h + i);
  return out;
}

struct Sets {
  std::vector<int> left, used;  // rows
};
Sets split(const Handles& body, const std::vector<int>& used) {
  std::vector<int> left;
  for (int h = 0; h < body.count(); ++h)
    if (std::find(used.begin(), used.end(), h) == used.end()) left.push_back(h);
  return {rows(left), rows(used)};
}

/// Joints side by side: the constraint forces T (orthonormal, T'S = 0), c, and the active forces S (S'S)^-1 tau.
struct Stacked {
  MatrixXd T;
  VectorXd c, active;
};
Stacked stack(const std::vector<HandleJoint>& joints) {
  Eigen::Index constraints = 0, row = 0, column = 0;
  for (const HandleJoint& j : joints) constraints += 6 - j.S.cols();
  const auto height = static_cast<Eigen::Index>(6 * joints.size());
  Stacked out{MatrixXd::Zero(height, constraints), VectorXd(height), VectorXd(height)};
  for (const HandleJoint& j : joints) {
    const Eigen::Index n = j.S.cols();
    const MatrixXd Q = n == 0 ? MatrixXd(MatrixXd::Identity(6, 6)) : MatrixXd(j.S.householderQr().householderQ());
    out.T.block(row, column, 6, 6 - n) = Q.rightCols(6 - n);
    out.c.segment(row, 6) = j.c;
    out.active.segment(row, 6).setZero();
    if (n > 0) out.active.segment(row, 6) = j.S * (j.S.transpose() * j.S).ldlt().solve(j.tau);
    row += 6;
    column += 6 - n;
  }
  return out;
}

}  // namespace

Handles handles_of_body(const RigidBodyInertia<double>& I, const ForceVector<double>& p, int count) {
  const InverseInertia<double> inverse_I = inverse(articulated(I));
  const MotionVector<double> b = inverse_I * -p;
  Handles out{MatrixXd(6 * count, 6 * count), VectorXd(6 * count)};
  for (int j = 0; j < 6; ++j) {
    ForceVector<double> unit;
    unit[j] = 1.0;
    const MotionVector<double> column = inverse_I * unit;
    for (int h = 0; h < count; ++h)
      for (int i = 0; i < 6; ++i)
        for (int k = 0; k < count; ++k) out.Phi(6 * k + i, 6 * h + j) = column[i];
  }
  for (int h = 0; h < count; ++h)
    for (int i = 0; i < 6; ++i) out.b(6 * h + i) = b[i];
  return out;
}

Handles handles_of_world(int count) { return {MatrixXd::Zero(6 * count, 6 * count), VectorXd::Zero(6 * count)}; }

Handles join(const Handles& first, const Handles& second, const std::vector<HandleJoint>& joints) {
  require(!joints.empty(), "needs a joint");
  std::vector<int> used_first, used_second;
  for (const HandleJoint& j : joints) {
    require(j.first >= 0 && j.first < first.count() && j.second >= 0 && j.second < second.count(),
            "a joint is at a handle that there is not");
    require(j.S.rows() == 6 && j.S.cols() <= 6 && j.tau.size() == j.S.cols(),
            "a joint's S must be 6 x n and its tau have n entries");
    require(std::find(used_first.begin(), used_first.end(), j.first) == used_first.end() &&
                std::find(used_second.begin(), used_second.end(), j.second) == used_second.end(),
            "two joints are at one handle");
    used_first.push_back(j.first);
    used_second.push_back(j.second);
  }
  const auto [s1, s2] = split(first, used_first);
  const auto [s4, s3] = split(second, used_second);
  const auto [T, c, active] = stack(joints);

  // what the active forces do to both bodies goes into their accelerations
  const MatrixXd Phi12 = first.Phi(s1, s2), Phi2 = first.Phi(s2, s2), Phi43 = second.Phi(s4, s3),
                 Phi3 = second.Phi(s3, s3);
  const VectorXd b1 = first.b(s1) - Phi12 * active, b2 = first.b(s2) - Phi2 * active, b3 = second.b(s3) + Phi3 * active,
                 b4 = second.b(s4) + Phi43 * active;

  const MatrixXd Y = T.transpose() * (Phi2 + Phi3) * T;
  // redundant joints (loops) make Y singular; any solution will do, and this one is the shortest
  MatrixXd W = MatrixXd::Zero(T.rows(), T.rows());
  if (T.cols() > 0) W = T * Y.completeOrthogonalDecomposition().solve(MatrixXd(T.transpose()));
  const VectorXd beta = c - b3 + b2;
  const Eigen::Index n1 = b1.size(), n4 = b4.size();
  Handles out{MatrixXd(n1 + n4, n1 + n4), VectorXd(n1 + n4)};
  out.Phi.topLeftCorner(n1, n1) = MatrixXd(first.Phi(s1, s1)) - Phi12 * W * Phi12.transpose();
  out.Phi.bottomRightCorner(n4, n4) = MatrixXd(second.Phi(s4, s4)) - Phi43 * W * Phi43.transpose();
  out.Phi.topRightCorner(n1, n4) = Phi12 * W * Phi43.transpose();
  out.Phi.bottomLeftCorner(n4, n1) = Phi43 * W.transpose() * Phi12.transpose();
  out.b << b1 - Phi12 * W * beta, b4 + Phi43 * W * beta;
  return out;
}

}  // namespace cardan
