// Boxes that tumble into one another are kept apart at long steps, and where they are not, a warning says so. Through
// the command.
#include "tests/apps/scene_runs.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

namespace cardan::piles_test {
namespace {

using test::Json;

constexpr double kEdge = 0.1;  // m

/// Boxes in layers of four, each turned a little, that fall onto one another.
std::string pile(int boxes) {
  std::mt19937 random(1);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::string out = "cardan = 1\n[ground]\nfriction = 0.6\n";
  for (int i = 0; i < boxes; ++i) {
    const double x = 0.16 * (i % 2) + uniform(-0.01, 0.01), y = 0.16 * (i / 2 % 2) + uniform(-0.01, 0.01);
    const double a = uniform(-0.08, 0.08), b = uniform(-0.08, 0.08), c = uniform(-0.08, 0.08);
    const double w = std::sqrt(1.0 - a * a - b * b - c * c);
    out += fmt::format(
        "[[body]]\nname = \"b{}\"\n[[body.shape]]\nbox = [{}, {}, {}]\ndensity = 500\n[body.joint]\ntype = \"free\"\n"
        "q = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]\n",
        i, kEdge, kEdge, kEdge, w, a, b, c, x, y, 0.09 + 0.16 * (i / 4));
  }
  return out + "[simulation]\ncontact = \"stepping\"\noutput_every = 0.05\n";
}

class Piles : public test::SceneRuns {
 protected:
  Json summary(const std::string& scene) const {
    const Outcome outcome = run({"simulate", file(scene), "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }
  using Outcome = test::Outcome;
};

TEST_F(Piles, LongStepsKeepBoxesApart) {
  // boxes fall by up to 12 mm in a step of 5 ms
  const Json run = summary(pile(20) + "duration = 0.6\nstep = 0.005\n");
  EXPECT_GT(run.at("contact").at("contacts").get<int>(), 30);
  EXPECT_LT(run.at("contact").at("penetration").get<double>(), 0.015 * kEdge);
}

TEST_F(Piles, OverlapsAreTold) {
  const auto warning = [&](const std::string& scene) {
    const Json run = summary(scene);
    std::string out;
    for (const Json& line : run.at("warnings"))
      if (test::says(line.get<std::string>(), "inside each other")) out = line.get<std::string>();
    return out;
  };
  // nothing can give way where a motion drives a plate into a box on the ground
  const std::string told = warning(R"(cardan = 1
[ground]
friction = 0.5
[[body]]
name = "press"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[[body.shape]]
box = [0.3, 0.3, 0.1]
[body.joint]
type = "prismatic"
at = { xyz = [0, 0, 0.1505] }
[[motion]]
joint = "press"
position = "-2*t"
[[body]]
name = "box"
mass = 1
[[body.shape]]
box = [0.1, 0.1, 0.1]
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0, 0, 0.05]
[simulation]
contact = "stepping"
duration = 0.006
)");
  EXPECT_TRUE(test::says(told, "\"press\" and \"box\" are 0.00")) << told;
  EXPECT_EQ(warning(pile(8) + "duration = 0.2\nstep = 0.001\n"), "");
}

}  // namespace
}  // namespace cardan::piles_test
