// Multipliers of regular and of redundant rows against the pseudo-inverse.
#include "cardan/solve/internal/least_norm.hpp"

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
    ASSERT_TRUE(solver.solve(A, b, x));
    EXPECT_EQ(solver.rank(), rank);
    worst.add((A * x - b).norm() / (1.0 + b.norm()), "rows hold");
    worst.add(std::max(0.0, x.norm() - expected.norm()) / (1.0 + expected.norm()), "norm");
  }
}

/// Rows that differ by 1e-7 act: the square of that is lost in A, which says so, and the rows themselves are solved.
TEST(LeastNorm, RowsThatNearlyRepeatOneAnotherAreSolvedWithoutSquaring) {
  std::srand(6);
  for (const double difference : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Random(6, 3);
    W.col(2) = W.col(1) + difference * Eigen::VectorXd::Random(6);
    const Eigen::VectorXd expected_w = W * Eigen::Vector3d(1.0, -2.0, 0.5), b = W.transpose() * expected_w;
    LeastNormSolver solver(3);
    Eigen::VectorXd x(3), w(6);
    EXPECT_EQ(solver.solve(W.transpose() * W, b, x), difference > 2e-3) << difference;
    solver.solve_factor(W, b, w, x);
    EXPECT_EQ(solver.rank(), 3) << difference;
    EXPECT_LT((w - expected_w).norm(), 1e-15 / difference) << difference;
    solver.expect_rank(2);
    solver.solve_factor(W, b, w, x);
    EXPECT_EQ(solver.rank(), 2);
  }
}

TEST(LeastNorm, NoRowsNoMultipliers) {
  LeastNormSolver solver(0);
  Eigen::VectorXd x(0);
  EXPECT_TRUE(solver.solve(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), x));
  EXPECT_EQ(solver.rank(), 0);
}

}  // namespace
}  // namespace cardan::test
