#include "cardan/solve/pyramid_friction.hpp"

#include "cardan/solve/internal/dense_laws.hpp"
#include "cardan/solve/lcp.hpp"

#include <cmath>
#include <numbers>

namespace cardan {

namespace {

/// The directions of a block's friction, a column each, in its own rows.
Eigen::MatrixXd directions(const LawBlock& block, int sides) {
  const int first = block.law == Law::cone ? 1 : 0, tangents = block.size - first;
  if (tangents == 2) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(block.size, sides);
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / sides;
      out(first, k) = std::cos(angle);
      out(first + 1, k) = std::sin(angle);
    }
    return out;
  }
  // a line or three axes: both ways along each
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(block.size, 2 * tangents);
  for (int k = 0; k < tangents; ++k) {
    out(first + k, 2 * k) = 1.0;
    out(first + k, 2 * k + 1) = -1.0;
  }
  return out;
}

/// All columns that lambda is made of, and which of them share a bound.
struct Generators {
  Eigen::MatrixXd columns;  // rows of the problem x generators
  Eigen::MatrixXd E;        // bounds x generators
  Eigen::VectorXd constant;
};

Generators generators(const LawProblem& problem, int sides, const DenseLaws& dense) {
  Generators out;
  std::vector<Eigen::VectorXd> columns;
  struct Bound {
    int normal = -1, first = 0, end = 0;
    double mu = 0.0, constant = 0.0;
  };
  std::vector<Bound> bounds;
  const auto count = [&] { return static_cast<int>(columns.size()); };
  const auto add = [&](const LawBlock& block, const Eigen::VectorXd& own) {
    columns.push_back(Eigen::VectorXd::Zero(problem.rows()));
    columns.back().segment(block.first, block.size) = own;
  };
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(problem.rows());
  for (const LawBlock& block : problem.blocks()) {
    if (block.law == Law::equal) continue;
    if (block.law == Law::at_least) {
      for (int k = 0; k < block.size; ++k) add(block, Eigen::VectorXd::Unit(block.size, k));
      continue;
    }
    Bound bound;
    if (block.law == Law::cone) {
      bound.normal = count();
      bound.mu = block.bound;
      add(block, Eigen::VectorXd::Unit(block.size, 0));
    } else {
      bound.constant = dense.friction_bound(block, none);
    }
    if (!(bound.mu > 0.0 || bound.constant > 0.0)) continue;
    bound.first = count();
    const Eigen::MatrixXd own = directions(block, sides);
    for (Eigen::Index k = 0; k < own.cols(); ++k) add(block, own.col(k));
    bound.end = count();
    bounds.push_back(bound);
  }
  out.columns.resize(problem.rows(), count());
  for (int k = 0; k < count(); ++k) out.columns.col(k) = columns[static_cast<std::size_t>(k)];
  out.E.setZero(static_cast<Eigen::Index>(bounds.size()), count());
  out.constant.resize(out.E.rows());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (bounds[i].normal >= 0) out.E(row, bounds[i].normal) = bounds[i].mu;
    out.E.row(row).segment(bounds[i].first, bounds[i].end - bounds[i].first).setConstant(-1.0);
    out.constant[row] = bounds[i].constant;
  }
  return out;
}

}  // namespace

PyramidSolution solve_by_pyramid(const LawProblem& problem, const PyramidOptions& options) {
  const DenseLaws dense(problem);
  const Generators all = generators(problem, options.sides, dense);
  const Eigen::Index n = all.columns.cols(), m = all.E.rows();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n + m, n + m);
  M.topLeftCorner(n, n) = all.columns.transpose() * dense.A() * all.columns;
  M.topRightCorner(n, m) = -all.E.transpose();
  M.bottomLeftCorner(m, n) = all.E;
  Eigen::VectorXd q(n + m);
  q << all.columns.transpose() * dense.u_free(), all.constant;
  const LcpSolution found = solve_lcp(M, q);
  PyramidSolution out;
  out.found = found.status == LcpSolution::Status::solved;
  out.pivots = found.pivots;
  out.laws = dense.complete(all.columns * found.z.head(n), options.tolerance);
  return out;
}

}  // namespace cardan
