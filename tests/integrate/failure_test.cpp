// What goes wrong is said: when, at which joint, and why; and what was reached before stays.
#include "tests/integrate/run.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

MassProperties ball() { return {1.0, {0.0, 0.0, -0.5}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}}; }

Model arm(const MassProperties& tip) {
  return ModelBuilder()
      .body("upper", ball())
      .body("lower", tip)
      .joint("world", "upper", Revolute{{0.0, 1.0, 0.0}}, {}, "shoulder")
      .joint("upper", "lower", Revolute{{0.0, 1.0, 0.0}}, {Mat3<double>::identity(), {0.0, 0.0, -1.0}}, "elbow")
      .build();
}

std::optional<StepFailure> failure_of(Integrator& integrator, double t_end) {
  try {
    while (integrator.time() < t_end) integrator.step(t_end);
  } catch (const StepFailure& failure) {
    return failure;
  }
  return std::nullopt;
}

TEST(Failure, ForceThatIsNotANumber) {
  const Model model = arm(ball());
  TreeProblem dynamics(model, [](double t, In<double>, In<double>, Out<double> tau) {
    tau[0] = 0.0;
    tau[1] = t > 0.5 ? std::nan("") : 0.0;
  });
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, dynamics, with_step(0.01));
    integrator->start(0.0, State(model));
    const auto failure = failure_of(*integrator, 1.0);
    ASSERT_TRUE(failure) << method;
    EXPECT_NEAR(failure->time, 0.5, 0.02) << method;
    EXPECT_NE(failure->reason.find("not finite"), std::string::npos) << failure->what();
    EXPECT_FALSE(failure->joint.empty()) << failure->what();
    EXPECT_NE(std::string(failure->what()).find(method), std::string::npos) << failure->what();
    // still at the last good step, and it can be looked at
    EXPECT_LE(integrator->time(), 0.51 + 1e-12) << method;
    EXPECT_TRUE(std::isfinite(integrator->state().q[0]) && std::isfinite(integrator->state().v[1])) << method;
    State between(model);
    integrator->interpolate(0.5 * (integrator->previous_time() + integrator->time()), between);
    EXPECT_TRUE(std::isfinite(between.q[0]) && std::isfinite(between.v[1])) << method;
  }
}

TEST(Failure, StateThatIsNotANumberNamesItsJoint) {
  const Model model = arm(ball());
  TreeProblem dynamics(model);
  State bad(model);
  bad.v[1] = std::nan("");
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, dynamics);
    integrator->start(2.0, bad);
    const auto failure = failure_of(*integrator, 3.0);
    ASSERT_TRUE(failure) << method;
    EXPECT_NE(failure->reason.find("velocity is not finite"), std::string::npos) << failure->what();
    EXPECT_EQ(failure->joint, "elbow") << failure->what();
    EXPECT_NEAR(failure->time, 2.0, 0.01);
  }
}

TEST(Failure, SingularMassMatrixNamesTheJointWithoutInertia) {
  const Model model = arm({});
  TreeProblem dynamics(model);
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, dynamics);
    integrator->start(0.0, State(model));
    const auto failure = failure_of(*integrator, 1.0);
    ASSERT_TRUE(failure) << method;
    EXPECT_NE(failure->reason.find("mass matrix is singular"), std::string::npos) << failure->what();
    EXPECT_EQ(failure->joint, "elbow") << failure->what();
  }
}

TEST(Failure, StepUnderflow) {
  // a velocity that becomes infinite at t = 1: v' = v^2
  const Model model =
      ModelBuilder().body("ball", ball()).joint("world", "ball", Prismatic{{1.0, 0.0, 0.0}}, {}, "slide").build();
  TreeProblem dynamics(model, [](double, In<double>, In<double> v, Out<double> tau) { tau[0] = v[0] * v[0]; });
  State start(model);
  start.v[0] = 1.0;
  for (const char* method : {"dopri5", "munthe_kaas_54"}) {
    IntegratorOptions options = with_tolerance(1e-8);
    options.smallest_step = 1e-9;
    const auto integrator = make_integrator(method, dynamics, options);
    integrator->start(0.0, start);
    const auto failure = failure_of(*integrator, 2.0);
    ASSERT_TRUE(failure) << method;
    EXPECT_NEAR(failure->time, 1.0, 1e-4) << failure->what();
    EXPECT_NE(failure->reason.find("too small"), std::string::npos) << failure->what();
    EXPECT_GT(integrator->state().v[0], 1e4);
  }
}

TEST(Failure, NewtonThatDoesNotConverge) {
  const Model model =
      ModelBuilder().body("ball", ball()).joint("world", "ball", Prismatic{{1.0, 0.0, 0.0}}, {}, "slide").build();
  // v' = v^2 + 1 has no implicit step of length 1 from v = 0: v = h (v^2 + 1) has no real root
  TreeProblem dynamics(model, [](double, In<double>, In<double> v, Out<double> tau) { tau[0] = v[0] * v[0] + 1.0; });
  for (const char* method : {"bdf1", "bdf2", "generalized_alpha"}) {
    const auto integrator = make_integrator(method, dynamics, with_step(4.0));
    integrator->start(0.0, State(model));
    const auto failure = failure_of(*integrator, 4.0);
    ASSERT_TRUE(failure) << method;
    EXPECT_EQ(failure->joint, "slide");
    EXPECT_NE(failure->reason.find("Newton"), std::string::npos) << failure->what();
    EXPECT_EQ(integrator->time(), 0.0);
  }
}

TEST(Failure, UnknownNamesAndOptionsThatMakeNoSense) {
  const Model model = arm(ball());
  TreeProblem dynamics(model);
  const auto message = [&](const std::string& name, const IntegratorOptions& options) -> std::string {
    try {
      make_integrator(name, dynamics, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message("munte_kaas_4", {}), "unknown integrator \"munte_kaas_4\": did you mean \"munthe_kaas_4\"?");
  EXPECT_NE(message("quux", {}).find("expected one of euler, symplectic_euler"), std::string::npos);
  EXPECT_NE(message("rk4", with_step(0.0)).find("step must be positive, found 0"), std::string::npos);
  EXPECT_NE(message("rk4", with_tolerance(-1.0)).find("tolerance"), std::string::npos);
  IntegratorOptions options;
  options.spectral_radius = 1.5;
  EXPECT_NE(message("generalized_alpha", options).find("spectral_radius"), std::string::npos);
  options = {};
  options.newton_residual = -1e-9;
  EXPECT_NE(message("bdf2", options).find("newton_residual must not be negative"), std::string::npos);
}

}  // namespace
}  // namespace cardan::test
