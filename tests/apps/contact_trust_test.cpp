// Contact that can be trusted: nothing is passed through, forces are those of their instant, what friction holds or
// just does not hold is right at any step, what rests on flat triangles rests. All through the command.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

namespace cardan::contact_trust_test {
namespace {

using test::Json;

class ContactTrust : public test::SceneRuns {
 protected:
  static double last(const CsvTable& run, const std::string& column) { return value(run, column, run.rows.size() - 1); }
};

std::string ball(double radius, double mass, const std::string& q, const std::string& v) {
  return fmt::format(R"([[body]]
name = "ball"
mass = {:.17g}
inertia = [{:.17g}, {:.17g}, {:.17g}, 0, 0, 0]
[[body.shape]]
sphere = {:.17g}
[body.joint]
type = "free"
q = [1, 0, 0, 0, {}]
v = [{}]
)",
                     mass, 0.4 * mass * radius * radius, 0.4 * mass * radius * radius, 0.4 * mass * radius * radius,
                     radius, q, v);
}

/// A ball thrown straight at a plate whose near face is at z = 0, from a height.
std::string throw_at_plate(double radius, double thickness, double height, double speed, bool is_free) {
  return fmt::format(
             "cardan = 1\ngravity = [0, 0, {}]\n[[contact]]\nfriction = 0.5\n[[body]]\nname = "
             "\"plate\"\n{}[body.joint]\ntype = \"{}\"\n{}"
             "[[body.shape]]\nbox = [2, 2, {:.17g}]\nat = {{ xyz = [0, 0, {:.17g}] }}\n",
             speed > 20.0 ? 0.0 : -9.81, is_free ? "mass = 1e6\ninertia = [1e6, 1e6, 1e6, 0, 0, 0]\n" : "",
             is_free ? "free" : "fixed", is_free ? "q = [1, 0, 0, 0, 0, 0, 0]\nv = [0, 0, 0, 0, 0, 0]\n" : "",
             thickness, -0.5 * thickness) +
         ball(radius, 0.1, fmt::format("0.3, -0.2, {:.17g}", height + radius),
              fmt::format("0, 0, 0, 0.1, 0, {:.17g}", -speed));
}

TEST_F(ContactTrust, NothingIsPassedThrough) {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0.0, 1.0)(random));
  };
  const int trials = test::repetitions(12, 300);
  for (int i = 0; i < trials; ++i) {
    const double radius = between(0.002, 0.05), thickness = between(0.001, 0.1), height = between(0.1, 10.0);
    const double speed = i % 3 == 0 ? 0.0 : between(1.0, 1000.0);
    const bool is_free = i % 2 == 1 && speed > 20.0;
    const std::string scene =
        throw_at_plate(radius, thickness, height, speed, is_free) + "[simulation]\nduration = 2\noutput_every = 0.1\n";
    for (const char* mode : {"auto", "events", "stepping"}) {
      const CsvTable run = motion(scene, {"--set", fmt::format("simulation.contact={}", mode)});
      EXPECT_NEAR(last(run, "q.ball.6") - (is_free ? last(run, "q.plate.6") : 0.0), radius, is_free ? 1e-4 : 1e-5)
          << mode << ": " << radius << " " << thickness << " " << height << " " << speed << " " << is_free;
    }
  }
}

TEST_F(ContactTrust, AStepThatEndsJustAboveAPlateLandsThere) {
  // six steps of 1 ms end 0.9 and 0.05 mm above it: a small part of a step's way, and not where it touches
  for (const double above : {9e-4, 5e-5}) {
    const double speed = 400.0, radius = 0.01;
    const CsvTable run = motion(throw_at_plate(radius, 0.05, 0.006 * speed + above, speed, false) +
                                "[simulation]\ncontact = \"stepping\"\nduration = 0.05\n");
    EXPECT_NEAR(last(run, "q.ball.6"), radius, 1e-5) << above;
  }
}

TEST_F(ContactTrust, ForcesAreThoseOfTheirInstant) {
  const std::string scene = R"(cardan = 1
[ground]
friction = 0.2
[[body]]
name = "box"
mass = 1.0
[[body.shape]]
box = [0.2, 0.2, 0.1]
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0, 0, 0.05]
[[force]]
type = "point"
body = "box"
force = ["3", "0", "-10*t"]
[[record]]
name = "push"
contact = "ground|box"
quantity = "force"
[simulation]
duration = 1
output_every = 0.05
)";
  for (const char* mode : {"events", "stepping"}) {
    const CsvTable run = motion(scene, {"--set", fmt::format("simulation.contact={}", mode)});
    // stepping gives the mean over the step that ends there, or begins there at the start: 5e-3 N of 10 N/s in 1 ms
    for (std::size_t row = 0; row < run.rows.size(); ++row)
      EXPECT_NEAR(value(run, "push.z", row), 9.81 + 10.0 * value(run, "t", row), 6e-3) << mode << " " << row;
  }
}

TEST_F(ContactTrust, FrictionAtItsThresholdIsRightAtAnyStep) {
  const double mu = 0.4226932187381618;
  const auto slope = [&](double excess, const std::string& rest) {
    const double angle = std::atan(mu) + excess;
    return fmt::format(R"(cardan = 1
gravity = [{:.17g}, 0, {:.17g}]
[ground]
friction = {:.17g}
[[body]]
name = "b"
mass = 1.0
[[body.shape]]
box = [0.1, 0.1, 0.1]
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0, 0, 0.05]
[simulation]
duration = 0.5
{})",
                       9.81 * std::sin(angle), -9.81 * std::cos(angle), mu, rest);
  };
  for (const double excess : {1e-4, -1e-4}) {
    const double angle = std::atan(mu) + excess;
    const double x = 0.125 * 9.81 * std::max(0.0, std::sin(angle) - mu * std::cos(angle));
    for (const char* step : {"", "step = 0.001\n", "step = 0.005\n"}) {
      const CsvTable run = motion(slope(excess, step));
      EXPECT_NEAR(last(run, "q.b.4"), x, 1e-3 * x + 1e-9) << step << excess;
      EXPECT_NEAR(last(run, "q.b.5"), 0.0, 1e-9) << step << excess;
    }
  }
}

TEST_F(ContactTrust, ABallThatLandsRollsOnToSecondOrder) {
  // it sticks at once, since the impulse of friction that stops it is within the cone of the impact's
  const double t = std::sqrt(2.0 * 0.5 / 9.81), share = 1.0 / 3.5;
  const double x = 2.0 * t + (2.0 - 1.7 * share) * (2.0 - t), y = 0.5 * t + (0.5 - 0.5 * share) * (2.0 - t);
  double errors[2];
  const double steps[] = {0.01, 0.0025};
  for (int i = 0; i < 2; ++i) {
    const CsvTable run =
        motion("cardan = 1\n[ground]\nfriction = 0.3\n" + ball(0.1, 1.0, "0, 0, 0.6", "0, 3, 1, 2, 0.5, 0") +
               fmt::format("[simulation]\ncontact = \"stepping\"\nduration = 2\nstep = {}\n", steps[i]));
    errors[i] = std::hypot(last(run, "q.ball.4") - x, last(run, "q.ball.5") - y);
  }
  EXPECT_LT(errors[0], 5e-4);
  EXPECT_LT(errors[1], errors[0] / 8.0);
}

/// A grid of flat cells, turned: each triangle brings its own corners.
std::string loose_plate(int cells, double size) {
  std::string out;
  int next = 1;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const auto corner = [&](int a, int b) {
        out += fmt::format("v {:.17g} {:.17g} 0\n", size * (a / static_cast<double>(cells) - 0.5),
                           size * (b / static_cast<double>(cells) - 0.5));
      };
      for (const bool upper : {false, true}) {
        corner(i, j);
        upper ? corner(i + 1, j + 1) : corner(i + 1, j);
        upper ? corner(i, j + 1) : corner(i + 1, j + 1);
        out += fmt::format("f {} {} {}\n", next, next + 1, next + 2);
        next += 3;
      }
    }
  return out;
}

TEST_F(ContactTrust, WhatLiesOnFlatTrianglesRests) {
  std::string rows;
  for (int i = 0; i < 17; ++i) rows += (i ? ", [0" : "[0") + std::string(",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]");
  folder_.write("plate.obj", loose_plate(9, 2.0));
  const std::string box = R"([[body]]
name = "b"
mass = 1.0
[[body.shape]]
box = [0.2, 0.2, 0.2]
[body.joint]
type = "free"
q = [0.9689124217106447, 0, 0, 0.24740395925452294, 0.03, 0.02, 0.1]
[simulation]
duration = 2
output_every = 0.1
)";
  const std::string plate =
      "[[body]]\nname = \"plate\"\n[body.joint]\ntype = \"fixed\"\n[[body.shape]]\nmesh = \"plate.obj\"\n";
  for (const std::string& below :
       {"[ground]\nfriction = 0.5\nheight_field = { rows = [" + rows + "], size = [4, 4] }\n",
        "[[contact]]\nfriction = 0.5\n" + plate}) {
    const CsvTable run = motion("cardan = 1\n" + below + box);
    EXPECT_NEAR(last(run, "q.b.4"), 0.03, 1e-9) << below.substr(0, 20);
    EXPECT_NEAR(last(run, "q.b.5"), 0.02, 1e-9) << below.substr(0, 20);
    EXPECT_NEAR(last(run, "q.b.6"), 0.1, 1e-6) << below.substr(0, 20);
    EXPECT_NEAR(last(run, "q.b.1"), 0.0, 1e-8) << below.substr(0, 20);
  }
}

}  // namespace
}  // namespace cardan::contact_trust_test
