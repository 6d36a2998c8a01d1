// The friction methods of the texts (staggered projections, one program with a pyramid) and the box program behind
// them, against Lemke's method, the exact solver and closed forms.
#include "cardan/solve/internal/box_qp.hpp"
#include "cardan/solve/lcp.hpp"
#include "cardan/solve/pyramid_friction.hpp"
#include "cardan/solve/staggered_projections.hpp"
#include "tests/solve/random_contacts.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <numbers>

namespace cardan::test {
namespace {

/// A box program as a complementarity problem: x = y - bound, y >= 0, 2 bound - y >= 0.
Eigen::VectorXd box_by_lemke(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& bound) {
  const Eigen::Index n = b.size();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  M.topLeftCorner(n, n) = A;
  M.topRightCorner(n, n).setIdentity();
  M.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd q(2 * n);
  q << -b - A * bound, 2.0 * bound;
  const LcpSolution solution = solve_lcp(M, q);
  EXPECT_EQ(solution.status, LcpSolution::Status::solved);
  return solution.z.head(n) - bound;
}

TEST(BoxQp, SingularProgramsAgreeWithLemke) {
  std::mt19937_64 random(17);
  FreeBodies draw(random);
  Worst worst("A x of box programs, more entries than freedoms", 1e-9), optimal("optimality, relative", 1e-11);
  for (int trial = 0; trial < repetitions(200, 4000); ++trial) {
    const int n = draw.integer(1, 24), rank = draw.integer(1, 8);
    Eigen::MatrixXd B(rank, n);
    for (auto& entry : B.reshaped()) entry = draw.normal();
    Eigen::VectorXd c(rank), bound(n);
    for (auto& entry : c) entry = 3.0 * draw.normal();
    for (auto& entry : bound) entry = draw.uniform(0.0, 1.0) < 0.1 ? 0.0 : draw.uniform(0.0, 1.5);
    const Eigen::MatrixXd A = B.transpose() * B;
    const Eigen::VectorXd b = B.transpose() * c;
    const BoxQpSolution found = solve_box_qp(A, b, bound);
    ASSERT_TRUE(found.solved) << trial;
    EXPECT_TRUE((found.x.cwiseAbs().array() <= bound.array()).all());
    worst.add((B * (found.x - box_by_lemke(A, b, bound))).cwiseAbs().maxCoeff(), "trial " + std::to_string(trial));
    optimal.add(found.residual, "trial " + std::to_string(trial));
  }
}

TEST(NamedFriction, WithoutFrictionAllMethodsAgree) {
  std::mt19937_64 random(19);
  Worst worst("velocities without friction", 1e-8);
  LawSolver exact;
  for (int trial = 0; trial < repetitions(40, 400); ++trial) {
    const LawProblem problem = scattered_contacts(random, 6, 12, 0.0);
    const Eigen::VectorXd v = exact.solve(problem).v;
    const StaggeredSolution staggered = solve_by_staggered_projections(problem);
    ASSERT_TRUE(staggered.converged);
    worst.add((staggered.laws.v - v).cwiseAbs().maxCoeff(), "staggered projections");
    const PyramidSolution pyramid = solve_by_pyramid(problem);
    ASSERT_TRUE(pyramid.found);
    worst.add((pyramid.laws.v - v).cwiseAbs().maxCoeff(), "pyramid");
    EXPECT_LT(staggered.laws.residual, 1e-8);
    EXPECT_LT(pyramid.laws.residual, 1e-8);
  }
}

/// u = J v + b of a block.
Eigen::VectorXd row_velocity(const LawProblem& problem, const LawBlock& block, const Eigen::VectorXd& v) {
  Eigen::VectorXd u = problem.b.segment(block.first, block.size);
  for (int c = 0; c < block.columns; ++c)
    u += problem.J(block).col(c) * v[problem.columns(block)[static_cast<std::size_t>(c)]];
  return u;
}

TEST(NamedFriction, FixedPointsOfStaggeredProjectionsSatisfyBothPrograms) {
  std::mt19937_64 random(23);
  Worst worst("violation of (2.113) and (2.114), m/s and N s", 1e-6);
  int converged = 0, rounds = 0;
  const int count = repetitions(40, 400);
  for (int trial = 0; trial < count; ++trial) {
    const LawProblem problem =
        trial % 2 == 0 ? shaken_stack(random, 3, 1.0, 0.3) : scattered_contacts(random, 6, 9, 0.3);
    const StaggeredSolution solution = solve_by_staggered_projections(problem);
    if (!solution.converged) continue;
    ++converged;
    rounds += solution.rounds;
    for (const LawBlock& block : problem.blocks()) {
      const Eigen::VectorXd u = row_velocity(problem, block, solution.laws.v);
      const auto x = solution.laws.lambda.segment(block.first, 3);
      worst.add(std::max({-u[0], -x[0], std::abs(u[0] * x[0])}), "contact");
      for (int k = 1; k < 3; ++k) {
        const double bound = block.bound * x[0], left = bound - std::abs(x[k]);
        worst.add(-left, "bound of friction");
        // slides only where friction is at its bound, and against it
        worst.add(std::min(left, std::abs(u[k])), "friction");
        worst.add(std::min(std::abs(u[k]), std::max(0.0, x[k] * u[k])), "direction");
      }
    }
  }
  std::printf("    %d of %d converged, %.1f rounds on average\n", converged, count,
              static_cast<double>(rounds) / std::max(1, converged));
  EXPECT_GE(converged, 0.9 * count);
}

/// One body of mass 1 that is pressed to the ground by an impulse of 1 while it slides by (cos, sin) of an angle.
LawProblem sliding_point(double angle, double mu, double speed) {
  LawProblem problem;
  problem.clear(3);
  problem.mass.push_back({0, Eigen::Matrix3d::Identity()});
  problem.v_free << -1.0, speed * std::cos(angle), speed * std::sin(angle);
  const int columns[] = {0, 1, 2};
  problem.add(Law::cone, 3, columns, mu);
  problem.J(problem.blocks()[0]).setIdentity();
  return problem;
}

/// Friction of a point that slides fast at 45 degrees to its tangents: the disc takes mu lambda_n; the box of staggered
/// projections sqrt 2 of it along the diagonal, the pyramid of four sides mu along one tangent, or any mixture.
TEST(NamedFriction, DiagonalSlidingTellsTheMethodsApart) {
  constexpr double kMu = 0.3, kSpeed = 50.0;
  const double diagonal = std::numbers::pi / 4;
  const LawProblem problem = sliding_point(diagonal, kMu, kSpeed);
  LawSolver exact;
  const Eigen::VectorXd disc = exact.solve(problem).lambda;
  EXPECT_NEAR(disc.tail<2>().norm(), kMu * disc[0], 1e-10);
  const StaggeredSolution box = solve_by_staggered_projections(problem);
  EXPECT_TRUE(box.converged);
  EXPECT_NEAR(box.laws.lambda.tail<2>().norm() / (kMu * box.laws.lambda[0]), std::sqrt(2.0), 1e-12);
  EXPECT_GT(box.laws.residual, 0.1);  // against the disc
  // power against the slip: cos(pi/s) of the disc's at worst, between two edges
  for (const int sides : {4, 8, 16}) {
    const PyramidSolution pyramid = solve_by_pyramid(sliding_point(std::numbers::pi / sides, kMu, kSpeed), {sides});
    ASSERT_TRUE(pyramid.found);
    const Eigen::Vector3d x = pyramid.laws.lambda;
    const Eigen::Vector2d slip(std::cos(std::numbers::pi / sides), std::sin(std::numbers::pi / sides));
    EXPECT_NEAR(-x.tail<2>().dot(slip) / (kMu * x[0]), std::cos(std::numbers::pi / sides), 1e-9);
    // the single program lifts a contact that slides: u_n = mu times the slip along the pyramid
    EXPECT_NEAR(pyramid.laws.v[0], -kMu * x.tail<2>().dot(pyramid.laws.v.tail<2>()) / (kMu * x[0]), 1e-9);
    EXPECT_GT(pyramid.laws.v[0], 1.0);
  }
}

TEST(NamedFriction, StickingNeedsNoMethodOfItsOwn) {
  LawSolver exact;
  for (const double angle : {0.0, 0.4, 0.785, 1.2}) {
    const LawProblem problem = sliding_point(angle, 0.9, 0.5);
    const Eigen::VectorXd v = exact.solve(problem).v;
    EXPECT_TRUE(near(solve_by_staggered_projections(problem).laws.v, v, 1e-10, 1.0));
    EXPECT_TRUE(near(solve_by_pyramid(problem).laws.v, v, 1e-10, 1.0));
  }
}

}  // namespace
}  // namespace cardan::test
