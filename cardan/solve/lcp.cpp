#include "cardan/solve/lcp.hpp"

#include <limits>
#include <vector>

namespace cardan {

namespace {

constexpr double kPivot = 1e-11;  // entries of the tableau below this are zero

}  // namespace

LcpSolution solve_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  const Eigen::Index n = q.size();
  LcpSolution out;
  out.z.setZero(n);
  if (n == 0 || q.minCoeff() >= 0.0) {
    out.status = LcpSolution::Status::solved;
    return out;
  }
  // tableau of w - M z - 1 z0 = q; columns: w, z, z0, right side
  Eigen::MatrixXd T(n, 2 * n + 2);
  T << Eigen::MatrixXd::Identity(n, n), -M, -Eigen::VectorXd::Ones(n), q;
  const Eigen::Index artificial = 2 * n, right = 2 * n + 1;
  std::vector<Eigen::Index> basis(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) basis[static_cast<std::size_t>(i)] = i;
  const auto pivot = [&](Eigen::Index row, Eigen::Index column) {
    T.row(row) /= T(row, column);
    for (Eigen::Index i = 0; i < n; ++i)
      if (i != row && T(i, column) != 0.0) T.row(i) -= T(i, column) * T.row(row);
    const Eigen::Index leaving = basis[static_cast<std::size_t>(row)];
    basis[static_cast<std::size_t>(row)] = column;
    ++out.pivots;
    return leaving;
  };
  Eigen::Index row = 0;
  q.minCoeff(&row);
  Eigen::Index leaving = pivot(row, artificial);
  const Eigen::Index most = 50 * n + 100;
  while (out.pivots < most) {
    const Eigen::Index entering = leaving < n ? leaving + n : leaving - n;
    // ratio test; ties go to the artificial variable, then to the first in lexicographic order
    row = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!(T(i, entering) > kPivot)) continue;
      if (row < 0) {
        row = i;
        continue;
      }
      const double ratio = T(i, right) / T(i, entering), best = T(row, right) / T(row, entering);
      const double tie = 1e-12 * (1.0 + std::abs(best));
      bool better = ratio < best - tie;
      if (!better && ratio <= best + tie && basis[static_cast<std::size_t>(row)] != artificial) {
        better = basis[static_cast<std::size_t>(i)] == artificial;
        for (Eigen::Index k = 0; !better && k < n; ++k) {
          const double a = T(i, k) / T(i, entering), b = T(row, k) / T(row, entering);
          if (a == b) continue;
          better = a < b;
          break;
        }
      }
      if (better) row = i;
    }
    if (row < 0) {
      out.status = LcpSolution::Status::ray;
      return out;
    }
    leaving = pivot(row, entering);
    if (leaving != artificial) continue;
    for (Eigen::Index i = 0; i < n; ++i)
      if (const Eigen::Index k = basis[static_cast<std::size_t>(i)]; k >= n && k < 2 * n) out.z[k - n] = T(i, right);
    out.status = LcpSolution::Status::solved;
    return out;
  }
  return out;
}

QpSolution solve_qp(const Eigen::MatrixXd& H, const Eigen::VectorXd& c, const Eigen::MatrixXd& G,
                    const Eigen::VectorXd& h) {
  QpSolution out;
  const Eigen::LLT<Eigen::MatrixXd> factor(H);
  const Eigen::VectorXd free = -factor.solve(c);
  const Eigen::MatrixXd response = factor.solve(G.transpose());
  const LcpSolution dual = solve_lcp(G * response, G * free - h);
  out.status = dual.status;
  out.z = dual.z;
  out.x = free + response * dual.z;
  return out;
}

}  // namespace cardan
