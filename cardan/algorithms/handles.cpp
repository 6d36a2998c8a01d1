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

/// Multiplies in the way that compiles quickly; the matrices are small.
MatrixXd times(const MatrixXd& a, const MatrixXd& b) { return a.lazyProduct(b); }
MatrixXd transposed(const MatrixXd& a) { return a.transpose(); }

/// The inverse of a symmetric matrix on its range.
struct PseudoInverse {
  explicit PseudoInverse(const MatrixXd& A) : inverse(MatrixXd::Zero(A.rows(), A.rows())) {
    if (A.rows() == 0) return;  // Eigen looks at the first entry
    eigen.compute(A);
    constexpr double kRounding = 1e-12;
    const double zero = kRounding * eigen.eigenvalues()(A.rows() - 1);
    for (Eigen::Index k = 0; k < A.rows(); ++k)
      if (eigen.eigenvalues()(k) > zero)
        inverse += times(eigen.eigenvectors().col(k) / eigen.eigenvalues()(k), eigen.eigenvectors().col(k).transpose());
  }
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;  // eigenvalues in rising order
  MatrixXd inverse;
};

/// Joints side by side: the constraint forces T (orthonormal, T'S = 0), c, and the active forces S (S'S)^-1 tau.
struct Stacked {
  MatrixXd T, c, active;
};
Stacked stack(const std::vector<HandleJoint>& joints) {
  Eigen::Index constraints = 0, row = 0, column = 0;
  for (const HandleJoint& j : joints) constraints += 6 - j.S.cols();
  const auto height = static_cast<Eigen::Index>(6 * joints.size());
  Stacked out{MatrixXd::Zero(height, constraints), MatrixXd(height, 1), MatrixXd(height, 1)};
  for (const HandleJoint& j : joints) {
    const Eigen::Index free = j.S.cols();
    const PseudoInverse moves(times(j.S, transposed(j.S)));
    out.T.block(row, column, 6, 6 - free) = moves.eigen.eigenvectors().leftCols(6 - free);
    out.c.block(row, 0, 6, 1) = j.c;
    out.active.block(row, 0, 6, 1) = times(moves.inverse, times(j.S, j.tau));
    row += 6;
    column += 6 - free;
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
  const MatrixXd b2 = first.b(s2) - times(Phi2, active), b3 = second.b(s3) + times(Phi3, active);

  // redundant joints (loops) make Y singular; any solution will do, and this one is the shortest
  const PseudoInverse Y(times(transposed(T), times(Phi2 + Phi3, T)));
  const MatrixXd W = times(times(T, Y.inverse), transposed(T)), beta = c - b3 + b2;
  const MatrixXd Phi12W = times(Phi12, W), Phi43W = times(Phi43, W);
  const auto n1 = static_cast<Eigen::Index>(s1.size()), n4 = static_cast<Eigen::Index>(s4.size());
  Handles out{MatrixXd(n1 + n4, n1 + n4), VectorXd(n1 + n4)};
  out.Phi.topLeftCorner(n1, n1) = first.Phi(s1, s1) - times(Phi12W, transposed(Phi12));
  out.Phi.bottomRightCorner(n4, n4) = second.Phi(s4, s4) - times(Phi43W, transposed(Phi43));
  out.Phi.topRightCorner(n1, n4) = times(Phi12W, transposed(Phi43));
  out.Phi.bottomLeftCorner(n4, n1) = times(Phi43W, transposed(Phi12));
  out.b.head(n1) = first.b(s1) - times(Phi12, active) - times(Phi12W, beta);
  out.b.tail(n4) = second.b(s4) + times(Phi43, active) + times(Phi43W, beta);
  return out;
}

}  // namespace cardan
