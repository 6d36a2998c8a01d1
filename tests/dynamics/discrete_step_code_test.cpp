// Code of its own for the step of a variational integrator against the loop over the bodies, on random trees of all
// joints; rotations over a step against the exponential.
#include "cardan/dynamics/internal/discrete_step_code.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/dynamics/internal/discrete_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test::discrete_step_code_test {
namespace {

Eigen::VectorXd copied(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void put(const Eigen::VectorXd& from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }

TEST(DiscreteStepCode, AgreesWithTheLoopOverTheBodies) {
  Worst fresh("Newton's correction", 1e-10), reused("by the factor before", 1e-10),
      momentum("momentum at the end", 1e-11), velocity("velocity at the end", 1e-10);
  for (int seed = 0; seed < trials(20); ++seed) {
    const RandomCase random(static_cast<std::uint64_t>(seed));
    const Model& model = random.model;
    const std::string name = "seed " + std::to_string(seed);
    const auto code = DiscreteStepCode::make(model);
    if (!code) GTEST_SKIP() << "no machine code here";
    const int n = model.nv();
    const double h = 0.02;
    const Eigen::VectorXd x = 0.02 * random.a / random.a.lpNorm<Eigen::Infinity>(), target = random.tau;
    Eigen::VectorXd q1(model.nq()), r(n), dx(n), diagonal(n), p(n), v(n);
    q1 = integrate(model, random.q, x, 1.0);
    for (int i = 0; i < n; ++i) diagonal[i] = model.armature(i) / h + 0.01 * i;
    DiscreteTree<double, FullTurn> tree(model);
    tree.start(random.q);
    ASSERT_GT(tree.move(q1, x, h), ShortTurn::kLeastCosine) << name;
    tree.left_momentum(x, h, r);
    r = target - r;
    tree.factorize(h, diagonal);
    tree.solve(r, dx);
    put(random.q, code->q0());
    put(q1, code->q1());
    put(x, code->x());
    put(target, code->momentum());
    put(diagonal, code->diagonal());
    code->set_step(h);
    ASSERT_TRUE(code->correct(true)) << name;
    fresh.add(relative_error(copied(code->correction()), dx, 1.0), name);
    // the same factor at another place
    const Eigen::VectorXd x2 = 0.9 * x;
    q1 = integrate(model, random.q, x2, 1.0);
    ASSERT_GT(tree.move(q1, x2, h), ShortTurn::kLeastCosine);
    tree.left_momentum(x2, h, r);
    r = target - r;
    tree.solve(r, dx);
    put(q1, code->q1());
    put(x2, code->x());
    ASSERT_TRUE(code->correct(false));
    reused.add(relative_error(copied(code->correction()), dx, 1.0), name);
    put(target, code->momentum());
    code->finish();
    tree.right_momentum(x2, h, p);
    momentum.add(relative_error(copied(code->end_momentum()), p, 1.0), name);
    p += target;
    Workspace<double> w(model);
    inverse_mass_matrix_product<double>(model, w, q1, p, v);
    velocity.add(relative_error(copied(code->end_velocity()), v, 1.0), name);
  }
}

/// A body that turns too far for the series is refused, not computed.
TEST(DiscreteStepCode, RefusesLargeTurns) {
  const Model model = ModelBuilder()
                          .body("a", {1.0, {0.0, 0.0, -0.5}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "a", Revolute{{0.0, 1.0, 0.0}})
                          .build();
  const auto code = DiscreteStepCode::make(model);
  if (!code) GTEST_SKIP() << "no machine code here";
  code->q0()[0] = 0.1;
  code->momentum()[0] = 0.0;
  code->diagonal()[0] = 0.0;
  code->set_step(0.01);
  for (const double x : {0.79, 0.81, 3.0}) {
    code->x()[0] = x;
    code->q1()[0] = 0.1 + x;
    EXPECT_EQ(code->correct(true), x < 0.8) << x;
  }
}

/// Series of short turns against the closed forms of long ones.
TEST(StepRotation, ShortAndFullTurnsAgree) {
  Worst log("logarithm", 1e-15), exp("coefficients of the exponential", 1e-15), kappa("kappa and slope", 1e-14);
  for (double angle = 0.0; angle <= ShortTurn::kLongest; angle += 0.01) {
    const Vec3<double> phi = (angle / 3.0) * Vec3<double>{2.0, -1.0, 2.0};
    const Mat3<double> R = exp_so3(phi);
    const Vec3<double> axial = 0.5 * Vec3<double>{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
    const double trace = R(0, 0) + R(1, 1) + R(2, 2) - 3.0;
    const std::string name = std::to_string(angle);
    log.add(norm(ShortTurn::log(axial, trace) - phi), name);
    const auto a = ShortTurn::exp_coefficients(angle * angle), b = FullTurn::exp_coefficients(angle * angle);
    exp.add(std::abs(a.c1 - b.c1) + std::abs(a.c2 - b.c2) + std::abs(a.c3 - b.c3), name);
    const auto c = ShortTurn::kappa(angle * angle), d = FullTurn::kappa(angle * angle);
    kappa.add(std::abs(c.kappa - d.kappa) + std::abs(c.slope - d.slope), name);
  }
  EXPECT_NEAR(std::cos(ShortTurn::kLongest), ShortTurn::kLeastCosine, 1e-8);
}

}  // namespace
}  // namespace cardan::test::discrete_step_code_test
