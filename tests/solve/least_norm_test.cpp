// Multipliers of regular and of redundant rows against the pseudo-inverse.
#include "cardan/solve/least_norm.hpp"

#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(LeastNorm, IsThePseudoInverse) {
  Worst worst("multipliers against the pseudo-inverse", 1e-9);
  std::srand(5);
  for (int trial = 0; trial < 50; ++trial) {
    const int rows = 2 + trial % 5, rank = 1 + trial % rows;
    const Eigen::MatrixXd J = Eigen::MatrixXd::Random(rows, rank) * Eigen::MatrixXd::Random(rank, rank + 1);
    const Eigen::MatrixXd A = J * J.transpose();
    const Eigen::VectorXd b = A * Eigen::VectorXd::Random(rows);
    const Eigen::VectorXd expected = A.completeOrthogonalDecomposition().pseudoInverse() * b;
    LeastNormSolver solver(rows);
    solver.expect_rank(rank);
    Eigen::VectorXd x(rows);
    solver.solve(A, b, x);
    EXPECT_EQ(solver.rank(), rank);
    worst.add((A * x - b).norm() / (1.0 + b.norm()), "rows hold");
    worst.add(std::max(0.0, x.norm() - expected.norm()) / (1.0 + expected.norm()), "norm");
  }
}

TEST(LeastNorm, NoRowsNoMultipliers) {
  LeastNormSolver solver(0);
  Eigen::VectorXd x(0);
  solver.solve(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), x);
  EXPECT_EQ(solver.rank(), 0);
}

}  // namespace
}  // namespace cardan::test
