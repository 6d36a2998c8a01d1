// Times, dense output, events and memory: what holds for every method.
#include "cardan/integrate/event.hpp"
#include "cardan/integrate/internal/bdf.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Every joint type, sixteen bodies or more; at rest in a random pose without gravity it moves slowly.
struct Everything {
  Everything() : model(random_model(2)), dynamics(model), start(model) {
    Random random(3);
    const Eigen::VectorXd q = random_configuration(random, model);
    start.q.assign(q.data(), q.data() + q.size());
    for (double& v : start.v) v = 0.1 * random.uniform();
  }
  Model model;
  TreeProblem dynamics;
  State start;
};

TEST(Stepping, ExplicitMethodsDoNotAllocate) {
  Everything all;
  for (const char* method : {"euler", "symplectic_euler", "rk4", "dopri5", "munthe_kaas_1", "munthe_kaas_2",
                             "munthe_kaas_4", "munthe_kaas_54"}) {
    const auto integrator = make_integrator(method, all.dynamics, with_step(1e-4));
    integrator->start(0.0, all.start);
    State between(all.model);
    const AllocationCounter counter;
    for (int i = 0; i < 5; ++i) {
      integrator->step(1.0);
      integrator->interpolate(0.5 * (integrator->previous_time() + integrator->time()), between);
    }
    EXPECT_EQ(counter.count(), 0) << method;
  }
}

TEST(Stepping, TimesAreCountedAndTheEndIsMetExactly) {
  Everything all;
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, all.dynamics, with_step(1e-4));
    EXPECT_EQ(integrator->name(), method);
    integrator->start(1.0, all.start);
    integrator->step(0.5);  // nothing to do
    EXPECT_EQ(integrator->time(), 1.0);
    const double end = 1.00035;
    while (integrator->time() < end) {
      const double before = integrator->time();
      integrator->step(end);
      EXPECT_EQ(integrator->previous_time(), before);
      EXPECT_GT(integrator->time(), before);
    }
    EXPECT_EQ(integrator->time(), end) << method;
    if (!integrator->is_adaptive()) EXPECT_EQ(integrator->accepted(), 4) << method;
    EXPECT_GT(integrator->evaluations(), 0);
  }
}

TEST(Stepping, DenseOutputMeetsBothEndsOfTheStep) {
  Everything all;
  Worst ends("dense output at the ends of a step", 1e-13);
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, all.dynamics, with_step(1e-3));
    integrator->start(0.0, all.start);
    State at(all.model);
    for (int i = 0; i < 3; ++i) {
      const State before = integrator->state();
      integrator->step(1.0);
      integrator->interpolate(integrator->previous_time(), at);
      ends.add(distance(all.model, before, at), method);
      integrator->interpolate(integrator->time(), at);
      ends.add(distance(all.model, integrator->state(), at), method);
    }
  }
}

TEST(Stepping, RatesOnTheManifoldAreDerivativesOfMoving) {
  // x(t) = x + t u in the chart at q: the velocity is T(x) u, and the coordinates' rate the derivative of q(t)
  Everything all;
  const int nv = all.model.nv(), nq = all.model.nq();
  Random random(5);
  const Eigen::VectorXd x = random.values(nv, 0.8), u = random.values(nv);
  Eigen::VectorXd v(nv), back(nv), here(nq), plus(nq), minus(nq), rate(nq), step(nv), moved(nv);
  const ModelSpace space(all.model);
  space.increment_velocity(x.data(), u.data(), v.data());
  space.increment_rate(x.data(), v.data(), back.data());
  EXPECT_TRUE(near(back, u, 1e-13));
  const double h = 1e-5;
  moved = x + h * u;
  integrate(all.model, all.start.q.data(), moved.data(), 1.0, plus.data());
  moved = x - h * u;
  integrate(all.model, all.start.q.data(), moved.data(), 1.0, minus.data());
  difference(all.model, minus.data(), plus.data(), step.data());
  EXPECT_TRUE(near(Eigen::VectorXd(step / (2.0 * h)), v, 1e-9));
  integrate(all.model, all.start.q.data(), x.data(), 1.0, here.data());
  space.coordinate_rate(here.data(), v.data(), rate.data());
  EXPECT_TRUE(near(Eigen::VectorXd((plus - minus) / (2.0 * h)), rate, 1e-9));
}

TEST(Stepping, RotationVectorsPassTheirSingularity) {
  // ten turns about a fixed axis: a rotation vector alone would be singular at the first
  const Model model = ModelBuilder()
                          .gravity({0.0, 0.0, 0.0})
                          .body("body", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                          .joint("world", "body", SphericalExponential{})
                          .build();
  TreeProblem dynamics(model);
  State start(model);
  start.v = {0.0, 0.6 * 2.0 * std::numbers::pi, 0.8 * 2.0 * std::numbers::pi};
  for (const std::string& method : integrator_names()) {
    const State end = run(method, dynamics, start, 10.25, with_step(1e-2));
    const Vec3<double> phi{end.q[0], end.q[1], end.q[2]};
    const Mat3<double> R = exp_so3(phi),
                       expected = exp_so3(Vec3<double>{0.0, 0.3 * std::numbers::pi, 0.4 * std::numbers::pi});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(R(i, j), expected(i, j), 1e-6) << method;
  }
}

TEST(Stepping, AChangedTorqueIsFeltAfterStart) {
  // an integrator may reuse the acceleration at the end of a step; start() forgets it and keeps the step size
  const Model model = ModelBuilder()
                          .gravity({0.0, 0.0, 0.0})
                          .body("body", {2.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                          .joint("world", "body", Prismatic{{1.0, 0.0, 0.0}})
                          .build();
  double force = 2.0;
  TreeProblem dynamics(model, [&](double, In<double>, In<double>, Out<double> tau) { tau[0] = force; });
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, dynamics, with_step(0.01));
    force = 2.0;
    integrator->start(0.0, State(model));
    while (integrator->time() < 1.0) integrator->step(1.0);
    force = -2.0;
    integrator->start(1.0, integrator->state());
    while (integrator->time() < 2.0) integrator->step(2.0);
    EXPECT_NEAR(integrator->state().v[0], 0.0, 1e-10) << method;
  }
}

TEST(Stepping, AModelWithoutFreedomsOnlyGrowsOlder) {
  const Model model =
      ModelBuilder().body("rock", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}}).joint("world", "rock", Fixed{}).build();
  ASSERT_EQ(model.nv(), 0);
  TreeProblem dynamics(model);
  for (const std::string& method : integrator_names()) {
    const auto integrator = make_integrator(method, dynamics, with_step(0.1));
    integrator->start(0.0, State(model));
    while (integrator->time() < 1.0) integrator->step(1.0);
    EXPECT_EQ(integrator->time(), 1.0) << method;
  }
}

/// A run that is taken up again with its past goes on as if nothing had happened.
TEST(Stepping, BdfBeginsWithAPast) {
  Everything all;
  Bdf whole(2, all.dynamics, with_step(1e-3)), again(2, all.dynamics, with_step(1e-3));
  whole.start(0.0, all.start);
  State before = all.start;
  for (int i = 0; i < 3; ++i) {
    before = whole.state();
    whole.step(1.0);
  }
  again.start(whole.time(), whole.state(), whole.previous_time(), before);
  whole.step(1.0);
  again.step(1.0);
  EXPECT_LE(distance(all.model, whole.state(), again.state()), 1e-13);
  // without it, the step is another method's
  again.start(whole.previous_time(), before);
  again.step(1.0);
  EXPECT_GT(distance(all.model, whole.state(), again.state()), 1e-9);
  EXPECT_THROW(again.start(0.0, all.start, 0.0, all.start), std::invalid_argument);
}

TEST(Events, FirstOfSeveralAndItsDirection) {
  // x = t: functions of time alone, found within one long step
  const Model model = ModelBuilder()
                          .gravity({0.0, 0.0, 0.0})
                          .body("body", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                          .joint("world", "body", Prismatic{{1.0, 0.0, 0.0}})
                          .build();
  TreeProblem dynamics(model);
  State start(model);
  start.v[0] = 1.0;
  const auto integrator = make_integrator("rk4", dynamics, with_step(10.0));
  integrator->start(0.0, start);
  integrator->step(10.0);
  const EventFunction wave = [](const State& s, double) { return std::cos(s.q[0]); };
  EventOptions options;
  options.samples = 20;
  const double pi = std::numbers::pi;
  EXPECT_NEAR(locate_event(*integrator, wave, options)->time, 0.5 * pi, 1e-12);
  options.direction = EventOptions::Direction::rising;
  const auto rising = locate_event(*integrator, wave, options);
  EXPECT_NEAR(rising->time, 1.5 * pi, 1e-12);
  EXPECT_NEAR(rising->state.q[0], 1.5 * pi, 1e-12);
  EXPECT_FALSE(locate_event(*integrator, [](const State& s, double) { return s.q[0] + 1.0; }));
  // a zero at the start of the step belongs to the step before; one at the end to this one
  EXPECT_FALSE(locate_event(*integrator, [](const State& s, double) { return s.q[0]; }));
  EXPECT_NEAR(locate_event(*integrator, [](const State&, double t) { return t - 10.0; })->time, 10.0, 1e-12);
  // steep and flat functions
  const auto steep = [](const State& s, double) { return std::tanh(1e6 * (s.q[0] - 1.2345)); };
  EXPECT_NEAR(locate_event(*integrator, steep)->time, 1.2345, 1e-12);
  const auto flat = [](const State& s, double) { return std::pow(s.q[0] - 1.2345, 3); };
  EXPECT_NEAR(locate_event(*integrator, flat)->time, 1.2345, 1e-12);
}

}  // namespace
}  // namespace cardan::test
