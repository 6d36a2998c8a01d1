// What a method must keep over a long time.
#include "cardan/algorithms/energy.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Conservation, SymplecticEulerKeepsTheEnergyOfAPendulumInABand) {
  const Model model = ModelBuilder()
                          .body("rod", {1.0, {0.0, 0.0, -0.5}, {0.1, 0.1, 0.0, 0.0, 0.0, 0.0}})
                          .joint("world", "rod", Revolute{{0.0, 1.0, 0.0}})
                          .build();
  TreeProblem dynamics(model);
  State start(model);
  start.q[0] = 1.0;
  const double I = 0.1 + 0.25, mgl = 9.81 * 0.5;
  const auto energy = [&](const State& s) { return 0.5 * I * s.v[0] * s.v[0] - mgl * std::cos(s.q[0]); };
  const auto integrator = make_integrator("symplectic_euler", dynamics, with_step(1e-2));
  integrator->start(0.0, start);
  double band[10] = {};
  for (int part = 0; part < 10; ++part)
    for (int i = 0; i < 100000; ++i) {
      integrator->step(1e9);
      band[part] = std::max(band[part], std::abs(energy(integrator->state()) - energy(start)));
    }
  std::printf("    energy error in the first and last tenth of 1e6 steps: %.6e %.6e J\n", band[0], band[9]);
  for (const double b : band) EXPECT_LT(b, 1.001 * band[0]);
  EXPECT_LT(band[0], 0.05 * mgl);
  EXPECT_NEAR(integrator->time(), 1e4, 1e-8);
}

/// Twenty bodies on joints of all kinds, flying without gravity.
Model flying_tree() {
  Random random(23);
  ModelBuilder builder;
  builder.gravity({0.0, 0.0, 0.0});
  for (int i = 0; i < 20; ++i) {
    const std::string name = "body" + std::to_string(i);
    MassProperties mass = random.mass();
    mass.inertia = mass.inertia + Sym3<double>{0.2, 0.2, 0.2, 0.0, 0.0, 0.0};
    builder.body(name, mass);
    if (i == 0) {
      builder.joint("world", name, Free{});
      continue;
    }
    const Pose<double> at{random.rotation(), random.vector(0.5)};
    const std::string parent = "body" + std::to_string((i - 1) / 2);
    if (i % 4 == 0) builder.joint(parent, name, Spherical{}, at);
    if (i % 4 == 1) builder.joint(parent, name, Revolute{random.direction()}, at);
    if (i % 4 == 2) builder.joint(parent, name, Universal{}, at);
    if (i % 4 == 3) builder.joint(parent, name, Cylindrical{random.direction()}, at);
  }
  return builder.build();
}

/// Sliders would fly apart and ball joints spin up: springs between the bodies hold them, and change no momentum.
void hold(const Model& model, In<double> q, Out<double> tau) {
  for (int i = 0; i < tau.size(); ++i) tau[i] = 0.0;
  for (int body = 2; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    if (model.joint(body).nq() != model.joint(body).nv()) continue;
    for (int k = 0; k < model.joint(body).nv(); ++k) tau[link.v + k] = -5.0 * q[link.q + k];
  }
}

TEST(Conservation, MomentumOfAFlyingTreeOverHundredSeconds) {
  const Model model = flying_tree();
  ASSERT_EQ(model.bodies(), 20);
  TreeProblem dynamics(model, [&](double, In<double> q, In<double>, Out<double> tau) { hold(model, q, tau); });
  Random random(29);
  State start(model);
  for (double& v : start.v) v = 0.3 * random.uniform();
  Workspace<double> w(model);
  Kinematics<double> k(model);
  const auto momentum_of = [&](const State& s) {
    forward_kinematics(model, w, s.q, s.v, k);
    return momentum(model, k);
  };
  const ForceVector<double> before = momentum_of(start);
  const double linear = norm(before.force), angular = norm(before.moment);
  const auto integrator = make_integrator("munthe_kaas_54", dynamics, with_tolerance(1e-12));
  integrator->start(0.0, start);
  Worst force("linear momentum, relative", 1e-9), moment("angular momentum, relative", 1e-9);
  for (int second = 1; second <= 100; ++second) {
    while (integrator->time() < second) integrator->step(second);
    const ForceVector<double> now = momentum_of(integrator->state());
    force.add(norm(now.force - before.force) / linear);
    moment.add(norm(now.moment - before.moment) / angular);
  }
  std::printf("    %ld steps, %ld rejected\n", integrator->accepted(), integrator->rejected());
}

}  // namespace
}  // namespace cardan::test
