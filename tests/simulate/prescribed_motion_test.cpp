// Prescribed motions: the joint follows its text exactly, and all others move as inverse dynamics demands.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/simulate/simulator.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Kind = PrescribedMotion::Kind;

/// Every second joint that can be driven is.
std::vector<PrescribedMotion> motions(const Model& model) {
  std::vector<PrescribedMotion> out;
  bool take = true;
  for (int b = 1; b <= model.bodies(); ++b) {
    const Link& link = model.link(b);
    if (link.nv == 0 || link.nq != link.nv) continue;
    if (take) {
      std::vector<std::string> texts;
      for (int k = 0; k < link.nv; ++k) texts.push_back("0.3 + 0.1*sin(" + std::to_string(k + 1) + "*t)");
      const bool position = b % 3 != 0;
      out.push_back({b, position ? Kind::position : Kind::acceleration, TimeFunction(texts, position ? 2 : 0)});
    }
    take = !take;
  }
  return out;
}

TEST(PrescribedMotion, FreeJointsFeelNothingButTheirOwnForces) {
  Worst worst("inverse dynamics at free joints under prescribed motion", 1e-9);
  const double t = 0.8;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomCase c(seed);
    SystemWorkspace system{driven(c.model, motions(c.model))};
    EXPECT_FALSE(system.is_compiled());
    State state(c.model);
    std::copy(c.q.begin(), c.q.end(), state.q.begin());
    std::copy(c.v.begin(), c.v.end(), state.v.begin());
    Eigen::VectorXd a(c.model.nv()), tau(c.model.nv()), drive(c.model.nv()), applied(c.model.nv());
    system.acceleration(t, state.q, state.v, a);
    system.driving_forces(t, state.q, state.v, drive);
    system.follow(t, state);
    Workspace<double> w(c.model);
    inverse_dynamics<double>(c.model, w, state.q, state.v, a, tau);
    system.generalized_forces(t, state.q, state.v, applied);
    worst.add(relative_error((tau - applied).eval(), drive), c.name);  // drive is zero at free joints

    for (PrescribedMotion m : motions(c.model)) {
      const auto values = m.motion(t);
      const Link& link = c.model.link(m.body);
      for (int k = 0; k < link.nv; ++k)
        EXPECT_EQ(a[link.v + k], values[values.size() - static_cast<std::size_t>(link.nv - k)]);
    }
  }
}

Model cart_pendulum() {
  return ModelBuilder()
      .body("cart", {2.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
      .body("rod", {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}})
      .joint("world", "cart", Prismatic{{1.0, 0.0, 0.0}})
      .joint("cart", "rod", Revolute{{0.0, 1.0, 0.0}})
      .build();
}

TEST(PrescribedMotion, IsFollowedToTheLastBit) {
  const Model model = cart_pendulum();
  const int cart = model.find_joint("cart");
  const TimeFunction motion({"0.2*sin(3*t)"}, 2);
  for (const std::string& name : integrator_names()) {
    SystemWorkspace system{driven(model, {{cart, Kind::position, motion}})};
    Settings options;
    options.duration = 1.0;
    options.output_every = 0.03;
    options.integrator = name;
    options.steps.step = 0.01;
    TimeFunction expected = motion;
    Simulator(system, options).run(State(model), [&](double t, const State& state) {
      const auto x = expected(t);
      EXPECT_EQ(state.q[0], x[0]) << name;
      EXPECT_EQ(state.v[0], x[1]) << name;
    });
  }
}

TEST(PrescribedMotion, AllIntegratorsMoveTheRestAlike) {
  const Model model = cart_pendulum();
  SystemWorkspace system{
      driven(model, {{model.find_joint("cart"), Kind::position, TimeFunction({"0.2*sin(3*t)"}, 2)}})};
  State start(model);
  start.q[1] = 0.4;
  const auto end_of = [&](const std::string& name, double step) {
    Settings options;
    options.duration = 1.0 * kPartOfTime;
    options.integrator = name;
    options.steps.step = step;
    options.steps.tolerance = 1e-12;
    double angle = 0.0;
    const auto summary = Simulator(system, options).run(start, [&](double, const State& state) { angle = state.q[1]; });
    EXPECT_EQ(summary.end, RunSummary::End::done) << name << ": " << summary.failure;
    return angle;
  };
  const double expected = end_of("munthe_kaas_54", 1e-3);
  for (const std::string& name : integrator_names()) EXPECT_NEAR(end_of(name, 1e-3), expected, 1e-2) << name;
  for (const char* name : {"munthe_kaas_2", "bdf2", "generalized_alpha"})
    EXPECT_NEAR(end_of(name, 1e-3), expected, 1e-5) << name;
  for (const char* name : {"rk4", "dopri5", "munthe_kaas_4"}) EXPECT_NEAR(end_of(name, 1e-3), expected, 1e-10) << name;
}

/// The rod's own equation with the pivot's acceleration, done by hand.
TEST(PrescribedMotion, PivotMovesThePendulum) {
  const Model model = cart_pendulum();
  SystemWorkspace system{
      driven(model, {{model.find_joint("cart"), Kind::position, TimeFunction({"0.2*sin(3*t)"}, 2)}})};
  const double t = 0.4, theta = 0.3, rate = -0.7, pivot = -0.2 * 9.0 * std::sin(3.0 * t);
  const std::vector<double> q{5.0, theta}, v{7.0, rate};  // what is said of the cart does not matter
  std::vector<double> a(2);
  system.acceleration(t, q, v, a);
  // the center of mass is at -0.5 (sin theta, cos theta)
  const double expected = (-0.5 * 9.81 * std::sin(theta) + 0.5 * std::cos(theta) * pivot) / (0.08 + 0.25);
  EXPECT_DOUBLE_EQ(a[0], pivot);
  EXPECT_NEAR(a[1], expected, 1e-13);
}

TEST(PrescribedMotion, AccelerationStartsFromTheState) {
  const Model model = cart_pendulum();
  SystemWorkspace system{driven(model, {{model.find_joint("cart"), Kind::acceleration, TimeFunction({"6*t"})}})};
  State start(model), end(model);
  start.q[0] = 1.0;
  start.v[0] = 0.5;
  Settings options;
  options.duration = 2.0;
  Simulator(system, options).run(start, [&](double, const State& state) { end = state; });
  EXPECT_NEAR(end.q[0], 1.0 + 0.5 * 2.0 + 8.0, 1e-11);
  EXPECT_NEAR(end.v[0], 0.5 + 12.0, 1e-11);
}

/// What drives the motion puts its work into the energy.
TEST(PrescribedMotion, DrivingForcesDoTheWork) {
  const Model model = cart_pendulum();
  SystemWorkspace system{
      driven(model, {{model.find_joint("cart"), Kind::position, TimeFunction({"0.2*sin(3*t)"}, 2)}})};
  Settings options;
  options.duration = 2.0;
  options.output_every = 1e-3;
  double work = 0.0, power_before = 0.0, first = 0.0, last = 0.0, t_before = 0.0;
  Eigen::VectorXd tau(2);
  State start(model);
  start.q[1] = 0.4;
  Simulator(system, options).run(start, [&](double t, const State& state) {
    system.driving_forces(t, state.q, state.v, tau);
    const double power = tau[0] * state.v[0];
    work += 0.5 * (t - t_before) * (power + power_before);
    last = system.energy(state).total();
    if (t == 0.0) first = last;
    power_before = power;
    t_before = t;
  });
  EXPECT_NEAR(last - first, work, 1e-5 * std::abs(first));
  EXPECT_GT(std::abs(work), 0.01);
}

}  // namespace
}  // namespace cardan::test
