// Ladders of hinged bars, bent and moving, loaded across their plane: the sparse method against a chain that moves
// alike, whatever number of redundant rows the loops have.
#include "benchmarks/hinged_ladder.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

using bench::HingedLadder;

void compare(int rungs, int rows, bool skew, Worst& error, Worst& row_error) {
  const HingedLadder ladder(rungs, rows, skew);
  const auto n = static_cast<std::size_t>(rungs);
  Workspace<double> w(ladder.chain);
  std::vector<double> tau(n), expected(n), drives(3 * n), a(3 * n);
  forward_dynamics<double>(ladder.chain, w, ladder.chain_state.q, ladder.chain_state.v, tau, expected);
  ConstrainedDynamics dynamics(ConstraintSet(ladder.ladder), ConstraintMethod::sparse);
  dynamics.forward_dynamics(0.0, ladder.ladder_state.q, ladder.ladder_state.v, drives, a);
  EXPECT_EQ(dynamics.rank(), 2 * rungs);
  double most = 0.0, size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double found = a[static_cast<std::size_t>(ladder.ladder.link(ladder.rail[i]).v)];
    ASSERT_TRUE(std::isfinite(found));
    most = std::max(most, std::abs(found - expected[i]));
    size = std::max(size, std::abs(expected[i]));
  }
  const std::string where = std::to_string(3 * rungs) + " bodies, " + std::to_string(rows) + " rows";
  error.add(most / size, where);
  if (rungs > 400) return;  // the dense J of the largest would take a while
  Eigen::MatrixXd J(dynamics.constraints().rows(), ladder.ladder.nv());
  dynamics.constraints().matrix(J);
  const Eigen::Map<const Eigen::VectorXd> acceleration(a.data(), J.cols());
  const Eigen::VectorXd left = J * acceleration - dynamics.constraints().k();
  row_error.add(left.cwiseAbs().maxCoeff() / (J.cwiseAbs() * acceleration.cwiseAbs()).maxCoeff(), where);
}

TEST(HingedLadder, MovesLikeAChain) {
  Worst error("accelerations of ladders", 1e-11), row_error("row residuals", 1e-12);
  for (const int rows : {2, 3, 5})
    for (const int rungs : {33, 333}) compare(rungs, rows, false, error, row_error);
  for (const int rows : {2, 3, 5})
    if (repetitions(0, 1) > 0 || rows == 5) compare(3333, rows, false, error, row_error);
}

TEST(HingedLadder, WithSkewAxes) {
  Worst error("accelerations of ladders with skew axes", 1e-8), row_error("row residuals, skew", 1e-10);
  for (const int rows : {2, 3, 5})
    for (const int rungs : {33, 333}) compare(rungs, rows, true, error, row_error);
  if (repetitions(0, 1) > 0) compare(3333, 5, true, error, row_error);
}

}  // namespace
}  // namespace cardan::test
