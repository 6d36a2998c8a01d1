// Small problems seen from their rows: the Delassus matrix against dense algebra, and derivatives of the laws against
// differences.
#include "cardan/solve/law_solver.hpp"
#include "tests/solve/random_contacts.hpp"
#include "tests/support/near.hpp"

namespace cardan::test {
namespace {

struct WholeProblem {
  Eigen::MatrixXd M, J;

  explicit WholeProblem(const LawProblem& problem) {
    M.setZero(problem.velocities(), problem.velocities());
    J.setZero(problem.rows(), problem.velocities());
    for (const auto& part : problem.mass) M.block(part.first, part.first, part.M.rows(), part.M.rows()) = part.M;
    for (const LawBlock& block : problem.blocks())
      for (int c = 0; c < block.columns; ++c)
        J.block(block.first, problem.columns(block)[static_cast<std::size_t>(c)], block.size, 1) +=
            problem.J(block).col(c);
  }
};

TEST(RowSpace, AgreesWithDenseAlgebra) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  Worst velocities("u = G lambda + c", 1e-11);
  for (int contacts = 1; contacts <= 16; ++contacts) {
    const LawProblem problem = scattered_contacts(random, 5, contacts, 0.7);
    ASSERT_TRUE(RowSpace::fits(problem));
    PreparedLaws laws;
    laws.prepare(problem, true);
    RowSpace rows;
    rows.reduce(laws);
    Multipliers lambda;
    lambda.whitened.resize(0);
    lambda.rows = Eigen::VectorXd::NullaryExpr(problem.rows(), [&] { return normal(random); });
    for (const LawBlock& block : problem.blocks()) lambda.rows[block.first] = std::abs(lambda.rows[block.first]);

    const WholeProblem dense(problem);
    const Eigen::VectorXd pull = dense.J.transpose() * lambda.rows, change = dense.M.ldlt().solve(pull);
    const Eigen::VectorXd expected = dense.J * (problem.v_free + change) + problem.b;
    std::vector<double> places(static_cast<std::size_t>(rows.size())), u(places);
    rows.place(lambda.rows, places);
    rows.velocities(places, u);
    Eigen::VectorXd found(problem.rows()), back(problem.rows());
    rows.collect(u, found);
    rows.collect(places, back);
    EXPECT_EQ(back, lambda.rows);
    velocities.add((found - expected).cwiseAbs().maxCoeff() / (1.0 + expected.cwiseAbs().maxCoeff()));
  }
}

TEST(RowSpace, SlopesAreThoseOfTheProjections) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal;
  Worst worst("derivative of a projection", 1e-6);
  const LawProblem problem = scattered_contacts(random, 5, 8, 0.7);
  PreparedLaws laws;
  laws.prepare(problem, true);
  RowSpace rows;
  rows.reduce(laws);
  for (std::size_t block = 0; block < rows.blocks(); ++block)
    for (int i = 0; i < 20; ++i) {
      const Block3 y(normal(random), normal(random), normal(random));
      const Block33 slope = cardan::slope(rows.law(block), y);
      for (int k = 0; k < 3; ++k) {
        const Block3 h = 1e-6 * Block3::Unit(k);
        const Block3 difference = (rows.project(block, y + h) - rows.project(block, y - h)) / 2e-6;
        worst.add((slope.col(k) - difference).cwiseAbs().maxCoeff());
      }
    }
}

/// What rests may not creep: the laws hold to the rounding of velocities, though rows are many times more than
/// freedoms.
TEST(RowSpace, RestingStacksArePolishedToRounding) {
  std::mt19937_64 random(13);
  Worst worst("certificate of a resting stack (m/s)", 2e-15);
  LawSolver solver(1e-8, LawSolver::Finish::polished);
  for (int boxes = 1; boxes <= 4; ++boxes) {
    const LawProblem problem = shaken_stack(random, boxes, 1.0, 0.0);
    ASSERT_TRUE(RowSpace::fits(problem));
    const Eigen::VectorXd near = 1.000001 * solver.solve(problem).lambda;
    worst.add(solver.solve(problem, near).residual);
  }
}

TEST(RowSpace, LeavesOtherProblemsAlone) {
  std::mt19937_64 random(13);
  EXPECT_FALSE(RowSpace::fits(scattered_contacts(random, 10, 17)));  // too many contacts
  LawProblem loop = scattered_contacts(random, 3, 2);
  const int columns[] = {0, 1};
  loop.add(Law::equal, 1, columns);
  EXPECT_FALSE(RowSpace::fits(loop));
}

}  // namespace
}  // namespace cardan::test
