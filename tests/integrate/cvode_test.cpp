// CVODE where it is built in: stiff motion against a tight explicit solution, unit quaternions, loops, failures; and
// what is said where it is not.
#include "cardan/integrate/internal/cvode.hpp"

#include "cardan/simulate/system_workspace.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

MassProperties light_rod() { return {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}}; }
Pose<double> rod_end() { return {Mat3<double>::identity(), {0.0, 0.0, -1.0}}; }

class WithCvode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_cvode()) GTEST_SKIP() << kNoCvode;
  }
};

/// A pendulum whose lower rod sits in a stiff, strongly damped joint: it wants to follow within microseconds.
struct StiffPendulum {
  StiffPendulum()
      : model(ModelBuilder()
                  .body("upper", light_rod())
                  .body("lower", light_rod())
                  .joint("world", "upper", Spherical{})
                  .joint("upper", "lower", Revolute{{0.0, 1.0, 0.0}}, rod_end())
                  .build()),
        dynamics(model,
                 [](double t, In<double> q, In<double> v, Out<double> tau) {
                   for (int i = 0; i < 3; ++i) tau[i] = 0.0;
                   tau[3] = 2e5 * (0.3 * std::sin(t) - q[4]) - 2e3 * v[3];
                 }),
        start(model) {
    start.v = {1.0, 2.0, 0.5, 0.0};
  }
  Model model;
  TreeProblem dynamics;
  State start;
};

TEST_F(WithCvode, FollowsAStiffMotionWithFewSteps) {
  StiffPendulum stiff;
  std::vector<double> times;
  for (int i = 1; i <= 20; ++i) times.push_back(0.05 * i);
  const auto tight = make_integrator("munthe_kaas_54", stiff.dynamics, with_tolerance(1e-12));
  tight->start(0.0, stiff.start);
  std::vector<State> exact;
  sample(*tight, times, [&](double, const State& state) { exact.push_back(state); });
  const auto loose = make_integrator("munthe_kaas_54", stiff.dynamics, with_tolerance(1e-6));
  loose->start(0.0, stiff.start);
  sample(*loose, times, [](double, const State&) {});

  double last = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto integrator = make_integrator("cvode", stiff.dynamics, with_tolerance(tolerance));
    EXPECT_TRUE(integrator->is_adaptive());
    integrator->start(0.0, stiff.start);
    double error = 0.0, length = 0.0;
    std::size_t row = 0;
    sample(*integrator, times, [&](double, const State& state) {
      error = std::max(error, distance(stiff.model, exact[row++], state));
      length = std::max(
          length, std::abs(std::hypot(std::hypot(state.q[0], state.q[1]), std::hypot(state.q[2], state.q[3])) - 1.0));
    });
    std::printf("    tolerance %.0e: error %.1e, %ld steps, %ld evaluations (munthe_kaas_54 at 1e-6: %ld, %ld)\n",
                tolerance, error, integrator->accepted(), integrator->evaluations(), loose->accepted(),
                loose->evaluations());
    EXPECT_LT(error, 1e3 * tolerance);
    EXPECT_LT(error, 0.2 * last);
    EXPECT_LT(length, 1e-14);
    last = error;
    if (tolerance == 1e-6) EXPECT_LT(10 * integrator->evaluations(), loose->evaluations());
  }
}

/// Loops are closed by the projection: the error does not grow, and CVODE need not begin anew at every step.
TEST_F(WithCvode, KeepsLoopsClosed) {
  const Model model = ModelBuilder()
                          .body("a", light_rod())
                          .body("b", light_rod())
                          .body("c", light_rod())
                          .joint("world", "a", Revolute{{0.0, 1.0, 0.0}})
                          .joint("a", "b", Revolute{{0.0, 1.0, 0.0}}, rod_end())
                          .joint("world", "c", Revolute{{0.0, 1.0, 0.0}}, {Mat3<double>::identity(), {0.8, 0.0, 0.0}})
                          .joint(JointSpec{.name = "closing",
                                           .predecessor = "b",
                                           .successor = "c",
                                           .type = Revolute{{0.0, 1.0, 0.0}},
                                           .at = rod_end(),
                                           .at_successor = rod_end(),
                                           .closes_loop = true})
                          .build();
  SystemWorkspace system{System(model)};
  State start(model);
  start.q = {0.4, -1.5, -0.4};
  start = system.assemble(0.0, start).state;
  start = system.begin(0.0, start);
  State exact = start;
  {
    const auto reference = make_integrator("munthe_kaas_54", system, with_tolerance(1e-12));
    reference->start(0.0, start);
    while (reference->time() < 1.0) reference->step(1.0);
    exact = reference->state();
  }
  const auto integrator = make_integrator("cvode", system, with_tolerance(1e-8));
  integrator->start(0.0, start);
  Worst closed("loop", 1e-9);
  while (integrator->time() < 1.0) {
    integrator->step(1.0);
    closed.add(system.constraint_error(integrator->time(), integrator->state()));
  }
  EXPECT_LT(distance(model, exact, integrator->state()), 1e-5);
  EXPECT_LT(integrator->accepted(), 2000);
}

TEST_F(WithCvode, FailuresNameTimeAndReason) {
  const Model model =
      ModelBuilder().body("ball", light_rod()).joint("world", "ball", Prismatic{{1.0, 0.0, 0.0}}, {}, "slide").build();
  // v' = v^2 from v = 1 is 1 / (1 - t)
  TreeProblem growing(model, [](double, In<double>, In<double> v, Out<double> tau) { tau[0] = v[0] * v[0]; });
  State start(model);
  start.v[0] = 1.0;
  const auto integrator = make_integrator("cvode", growing);
  integrator->start(0.0, start);
  try {
    while (integrator->time() < 2.0) integrator->step(2.0);
    FAIL() << "passed its singularity";
  } catch (const StepFailure& failure) {
    EXPECT_NEAR(integrator->time(), 1.0, 1e-3) << failure.what();
    EXPECT_NE(failure.reason.find("cvode: "), std::string::npos) << failure.what();
  }
  // what the dynamics throw comes through, and one can go on after it
  bool angry = true;
  TreeProblem throwing(model, [&](double t, In<double>, In<double>, Out<double> tau) {
    if (angry && t > 0.5) throw std::domain_error("not beyond");
    tau[0] = 1.0;
  });
  const auto other = make_integrator("cvode", throwing);
  other->start(0.0, State(model));
  EXPECT_THROW(while (other->time() < 1.0) other->step(1.0), std::domain_error);
  EXPECT_LE(other->time(), 0.5);
  angry = false;
  while (other->time() < 1.0) other->step(1.0);
  EXPECT_NEAR(other->state().v[0], 1.0, 1e-6);
}

TEST(WithoutCvode, OneLineSaysHowToGetIt) {
  const Model model = ModelBuilder().body("rod", light_rod()).joint("world", "rod", Revolute{{0.0, 1.0, 0.0}}).build();
  TreeProblem dynamics(model);
  const auto& names = integrator_names();
  EXPECT_EQ(std::count(names.begin(), names.end(), "cvode"), has_cvode() ? 1 : 0);
  if (has_cvode()) return;
  try {
    make_integrator("cvode", dynamics);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), std::string("integrator ") + kNoCvode);
  }
}

}  // namespace
}  // namespace cardan::test
