// Soft contact with a plane (section 11.8 of the book) against closed forms: a ball that bounces on a damped spring, a
// block that sticks on a slope without creeping or slides down it, and K and D against differences.
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan::test {
namespace {

constexpr double kGravity = 9.81;

Trajectory run_scene(const std::string& text) {
  Trajectory out = simulate(parse_scene("cardan = 1\n" + text, "soft.toml"));
  EXPECT_EQ(out.summary.end, RunSummary::End::done) << out.summary.failure;
  return out;
}

/// A point mass falls on a surface without gravity: m p'' + D p' + K p = 0 until the force would pull.
TEST(SoftContact, BouncesAsADampedSpringDoes) {
  const double m = 2.0, K = 2e4, D = 40.0, v0 = 1.0;
  const Trajectory run = run_scene(fmt::format(
      "gravity = [0, 0, 0]\n[[body]]\nname = \"ball\"\nmass = {}\n[body.joint]\ntype = \"prismatic\"\n"
      "axis = [0, 0, 1]\nq = [0.1]\nv = [{}]\n[[force]]\ntype = \"soft_contact\"\nbody = \"ball\"\nradius = 0.05\n"
      "stiffness = {}\ndamping = {}\n[simulation]\nduration = 0.2\ntolerance = 1e-12\n",
      m, -v0, K, D));
  // the force D p' + K p is zero when the ball leaves: at the time t with p'' = 0
  const double decay = D / (2.0 * m), omega = std::sqrt(K / m - decay * decay);
  const double leaving = std::atan2(2.0 * decay * omega, decay * decay - omega * omega);  // omega t in (0, pi)
  const double t = leaving / omega;
  const double speed = v0 * std::exp(-decay * t) * (decay / omega * std::sin(leaving) - std::cos(leaving));
  EXPECT_NEAR(run.v(run.size() - 1)[0], speed, 1e-7);
}

/// A block that cannot turn, on a plane that falls by an angle; `along` is its way down.
double way_down(double friction, double degrees, double duration, double* last_speed = nullptr) {
  const double angle = degrees * std::numbers::pi / 180.0, m = 1.0, K = 1e5;
  const double sink = m * kGravity * std::cos(angle) / K;  // where it rests on the spring
  const Trajectory run = run_scene(fmt::format(
      "gravity = [{:.17g}, 0, {:.17g}]\n[[body]]\nname = \"block\"\nmass = {}\n[body.joint]\ntype = \"translational\"\n"
      "q = [0, 0, {:.17g}]\n[[force]]\ntype = \"soft_contact\"\nbody = \"block\"\nstiffness = {}\ndamping = 600\n"
      "friction = {}\n[simulation]\nduration = {}\nintegrator = \"munthe_kaas_54\"\ntolerance = 1e-10\n",
      kGravity * std::sin(angle), -kGravity * std::cos(angle), m, 0.0, K, friction, duration));
  if (last_speed) *last_speed = run.v(run.size() - 1)[0];
  EXPECT_NEAR(run.q(run.size() - 1)[2], -sink, 1e-8);
  return run.q(run.size() - 1)[0];
}

TEST(SoftContact, SticksOnASlopeWithoutCreeping) {
  double early = 0.0, late = 0.0;
  const double bent = kGravity * std::sin(std::numbers::pi / 9.0) / 1e5;  // what its spring gives way
  EXPECT_NEAR(way_down(0.4, 20.0, 1.0, &early), bent, 1e-8);
  EXPECT_NEAR(way_down(0.4, 20.0, 3.0, &late), bent, 1e-8);
  EXPECT_LT(std::abs(late), 1e-9);
}

TEST(SoftContact, SlidesWithCoulombsFriction) {
  const double angle = std::numbers::pi / 9.0, a = kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
  double v1 = 0.0, v2 = 0.0;
  way_down(0.3, 20.0, 0.5, &v1);
  way_down(0.3, 20.0, 1.0, &v2);
  EXPECT_NEAR((v2 - v1) / 0.5, a, 1e-6);
}

TEST(SoftContact, ChangesAsItsStiffnessAndDampingSay) {
  const Scene scene = parse_scene(
      "cardan = 1\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 2, 3, 0, 0, 0]\n[body.joint]\ntype = \"free\"\n"
      "[[force]]\ntype = \"soft_contact\"\nbody = \"ball\"\nat = [0.1, 0.2, -0.3]\nradius = 0.05\nnormal = [0.1, -0.2, "
      "1]\n"
      "stiffness = 300\ndamping = 7\nheight = 1\nfriction = 0.5\n",
      "soft.toml");
  const Force& force = *scene.forces.at(0);
  State state(scene.model);
  state.q = {0.9, 0.3, -0.2, 0.2, 0.0, 0.0, 0.2};
  integrate(scene.model, state.q.data(), state.v.data(), 0.0, state.q.data());
  state.v = {0.4, -0.2, 0.3, 0.5, 0.1, -0.6};
  const std::vector<double> z{-0.02, 0.01, -0.015};
  StateKinematics kinematics(scene.model);
  const auto wrench = [&](const std::vector<double>& q, const std::vector<double>& v) {
    std::vector<ForceVector<double>> bodies(2);
    std::vector<double> velocities(6);
    Pushes pushes(bodies, Out<double>(velocities.data(), 6));
    force.add(kinematics.at(0.0, q, v, {z.data(), 3}), pushes);
    return bodies[1];
  };
  Tangent tangent;
  tangent.resize(force.touches());
  force.add_tangent(kinematics.at(0.0, state.q, state.v, {z.data(), 3}), tangent);
  EXPECT_GT(tangent.K.norm() + tangent.D.norm(), 1.0);  // it touches
  Worst worst("K and D against differences", 1e-6);
  for (int j = 0; j < 6; ++j)
    for (const bool moves : {true, false}) {
      const double h = 1e-6;
      const auto at = [&](double s) {
        std::vector<double> x(6), q(7), v = state.v;
        if (moves) x[static_cast<std::size_t>(j)] = s;
        if (!moves) v[static_cast<std::size_t>(j)] += s;
        integrate(scene.model, state.q.data(), x.data(), 1.0, q.data());
        return wrench(q, v);
      };
      const ForceVector<double> plus = at(h), minus = at(-h);
      for (int i = 0; i < 6; ++i)
        worst.add(std::abs((plus[i] - minus[i]) / (2.0 * h) - (moves ? tangent.K : tangent.D)(i, j)) / 300.0,
                  fmt::format("{} {}", i, j));
    }
}

}  // namespace
}  // namespace cardan::test
