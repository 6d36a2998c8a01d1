// A run that a program moves step by step and whose inputs it writes.
#include "cardan/simulate/run.hpp"
#include "cardan/io/scene_spec.hpp"
#include "cardan/simulate/simulate.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

constexpr const char* kCart = R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[input]]
name = "push"
joint = "cart"
limit = 10
[simulation]
)";

State end_of(const std::string& integrator, const std::vector<double>& pushes, double hold) {
  Scene scene =
      SceneSpec::parse(std::string(kCart) + "integrator = \"" + integrator + "\"\nstep = 0.01\n", "cart.toml").bind();
  SystemWorkspace workspace{System(scene)};
  cardan::Run run(workspace, scene.settings);
  run.start(0.0, scene.initial);
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    workspace.inputs()[0] = pushes[i];
    run.restart();
    const double until = hold * static_cast<double>(i + 1);
    while (run.time() < until) run.step(until);
  }
  return run.at(run.time());
}

TEST(Run, HoldsInputsBetweenWrites) {
  const std::vector<double> pushes{4.0, -2.0, 0.0, 100.0, 6.0};  // the fourth beyond its limit
  const double hold = 0.1, mass = 2.0;
  double x = 0.0, v = 0.0;
  for (const double push : pushes) {
    const double a = std::min(push, 10.0) / mass;
    x += v * hold + 0.5 * a * hold * hold;
    v += a * hold;
  }
  for (const char* integrator : {"munthe_kaas_54", "dopri5", "rk4", "munthe_kaas_2", "variational"}) {
    const State end = end_of(integrator, pushes, hold);
    EXPECT_NEAR(end.q[0], x, 1e-12) << integrator;
    EXPECT_NEAR(end.v[0], v, 1e-12) << integrator;
  }
  for (const char* integrator : {"bdf2", "generalized_alpha"})
    EXPECT_NEAR(end_of(integrator, pushes, hold).v[0], v, 1e-9) << integrator;
}

TEST(Run, IsTheRunOfTheSimulator) {
  Scene scene = SceneSpec::load(CARDAN_SOURCE_DIR "/examples/spring_pendulum.toml").bind();
  scene.settings.duration = 0.05;
  const Trajectory whole = simulate(scene);
  SystemWorkspace workspace{System(scene)};
  cardan::Run run(workspace, scene.settings);
  run.start(0.0, scene.initial);
  while (run.time() < 0.05) run.step(0.05);
  const State end = run.output(run.time());
  for (std::size_t i = 0; i < end.q.size(); ++i) EXPECT_EQ(end.q[i], whole.q(whole.size() - 1)[i]);
  EXPECT_EQ(run.accepted(), whole.summary.steps);
}

}  // namespace
}  // namespace cardan
