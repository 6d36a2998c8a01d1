// Accelerations and forces with contact through `cardan eval`: the complementarity problem of the book's chapter 11,
// with friction, against closed forms.
#include "tests/apps/run_command.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <nlohmann/json.hpp>

namespace cardan::test {
namespace {

using Json = nlohmann::json;

class EvalContact : public testing::Test {
 protected:
  Outcome run(const std::string& scene, const std::string& states) {
    return run_command(
        {"eval", folder.write("s.toml", "cardan = 1\n" + scene),
         folder.write("s.json", R"({"quantities": ["forward_dynamics", "contact_forces"], "states": )" + states + "}")},
        folder);
  }
  Json result(const std::string& scene, const std::string& state = "{}") {
    const Outcome outcome = run(scene, "[" + state + "]");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out)["results"][0] : Json();
  }
  std::string refused(const std::string& scene, const std::string& state = "{}") {
    return refusal(run(scene, "[" + state + "]"));
  }
  /// Force of all contacts on their b, in the world.
  static Vec3<double> total(const Json& forces) {
    Vec3<double> out{};
    for (const Json& one : forces)
      for (std::size_t k = 0; k < 3; ++k) out[static_cast<int>(k)] += one["force"][k].get<double>();
    return out;
  }

  TemporaryFolder folder;
};

TEST_F(EvalContact, BoxOnASlopeHoldsSlidesOrTurns) {
  Worst worst("acceleration of a box on a slope (m/s^2)", 1e-12);
  for (const double mu : {0.0, 0.3, 0.4}) {
    const Slope slope(20.0);
    const std::string scene =
        slope.ground(fmt::format("friction = {}", mu)) + box_body("box", {0.2, 0.2, 0.1}, 2.0, slope.pose(0.05)) + "\n";
    const double pull = 9.81 * std::sin(slope.angle), hold = mu * 9.81 * std::cos(slope.angle);
    // at rest; the body's x axis points down
    Json found = result(scene);
    worst.add(std::abs(found["forward_dynamics"][3].get<double>() - std::max(0.0, pull - hold)), "at rest");
    // across: friction is opposed to the slip, gravity pulls down
    found = result(scene, R"({"v": [0, 0, 0, 0, 0.7, 0]})");
    worst.add(std::abs(found["forward_dynamics"][3].get<double>() - pull), "across");
    worst.add(std::abs(found["forward_dynamics"][4].get<double>() + hold), "across");
    worst.add(std::abs(norm(total(found["contact_forces"])) - 2.0 * std::hypot(9.81 * std::cos(slope.angle), hold)),
              "force");
    // upwards
    found = result(scene, R"({"v": [0, 0, 0, -0.7, 0, 0]})");
    worst.add(std::abs(found["forward_dynamics"][3].get<double>() - pull - hold), "upwards");
    // pulled off
    found = result(scene, R"({"tau": [0, 0, 0, 0, 0, 30]})");
    worst.add(std::abs(found["forward_dynamics"][5].get<double>() - (15.0 - 9.81 * std::cos(slope.angle))), "off");
    worst.add(norm(total(found["contact_forces"])), "off");
  }
}

TEST_F(EvalContact, BallRollsOrSlides) {
  Worst worst("acceleration of a ball on a slope (m/s^2)", 1e-12);
  for (const double mu : {0.05, 0.5}) {
    const Slope slope(25.0);
    const double pull = 9.81 * std::sin(slope.angle), hold = mu * 9.81 * std::cos(slope.angle);
    const Json found =
        result(slope.ground(fmt::format("friction = {}", mu)) + ball_body("ball", 0.1, 1.0, slope.pose(0.1)),
               R"({"v": [0, 7, 0, 0.7, 0, 0]})");  // rolls down
    const double a = mu > 2.0 / 7.0 * std::tan(slope.angle) ? 5.0 / 7.0 * pull : pull - hold;
    // components in axes that turn with the ball: dv/dt + w x v
    worst.add(std::abs(found["forward_dynamics"][3].get<double>() - a), "along");
    worst.add(std::abs(found["forward_dynamics"][5].get<double>() - 7.0 * 0.7), "normal");
  }
}

TEST_F(EvalContact, RedundantLegsShareByLeastForces) {
  const auto golden = shared_json("golden/contact_more.json");
  if (!golden) GTEST_SKIP() << missing_data("golden/contact_more.json");
  const auto& c = (*golden)["hyperstatic_table"];
  Worst worst("force of a leg of a rigid table (N)", 1e-10);
  for (const char* legs : {"four_legs", "six_legs"}) {
    std::string text = fmt::format(
        "[ground]\nfriction = 0\n[[body]]\nname = \"table\"\nmass = {:.17g}\ncom = [{}, {}, 0]\n"
        "inertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0]\n",
        c["W"].get<double>() / 9.81, c["load_xy"][0].get<double>(), c["load_xy"][1].get<double>());
    for (const auto& leg : c[legs])
      text += fmt::format("[[body.shape]]\nsphere = 0.01\nat = {{ xyz = [{}, {}, 0.01] }}\n", leg[0].get<double>(),
                          leg[1].get<double>());
    const Json found = result(text);
    ASSERT_EQ(found["contact_forces"].size(), c[legs].size());
    for (std::size_t i = 0; i < c[legs].size(); ++i)
      worst.add(std::abs(found["contact_forces"][i]["force"][2].get<double>() +
                         c[legs[0] == 'f' ? "N4" : "N6"][i].get<double>()),
                legs);
  }
}

TEST_F(EvalContact, BoxTopplesOnASteepSlope) {
  const auto golden = shared_json("golden/contact_more.json");
  if (!golden) GTEST_SKIP() << missing_data("golden/contact_more.json");
  Worst worst("angular acceleration of a box that topples (rad/s^2)", 1e-11);
  for (const auto& c : (*golden)["box_topple"]["cases"]) {
    const Slope slope(c["slope_deg"]);
    const double w = c["w"], h = c["h"];
    const Json found = result(slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
                              box_body("box", {w, w, h}, 1.0, slope.pose(0.5 * h)));
    worst.add(std::abs(found["forward_dynamics"][1].get<double>() - c["alpha"].get<double>()), c.dump());
  }
}

/// A contact beside a loop: a box on the ground that a rod holds back.
TEST_F(EvalContact, LoopsHoldBesideContacts) {
  const std::string scene = "[ground]\nfriction = 0.2\n" +
                            box_body("box", {0.2, 0.2, 0.2}, 2.0, "[1, 0, 0, 0, 0, 0, 0.1]") +
                            "[[loop]]\na = \"world\"\nb = \"box\"\nname = \"rail\"\nat_a = { xyz = [0, 0, 0.1] }\n"
                            "type = \"prismatic\"\naxis = [1, 0, 0]\n";
  // the loop is redundant with the ground, and takes what it is free to take; along the rail friction is what is left
  const Json found = result(scene, R"({"tau": [0, 0, 0, 3, 0, 0]})");
  EXPECT_NEAR(found["forward_dynamics"][4].get<double>(), 0.0, 1e-12);
  EXPECT_NEAR(found["forward_dynamics"][5].get<double>(), 0.0, 1e-12);
  const Vec3<double> f = total(found["contact_forces"]);
  EXPECT_LE(std::abs(f[0]), 0.2 * std::abs(f[2]) + 1e-9);
  EXPECT_NEAR(2.0 * found["forward_dynamics"][3].get<double>(), 3.0 - f[0], 1e-9);
}

/// Painleve's rod: beyond a coefficient of friction no force obeys the laws.
TEST_F(EvalContact, PainlevesRodHasNoSolutionBeyondItsCriticalFriction) {
  const auto golden = shared_json("golden/contact_more.json");
  if (!golden) GTEST_SKIP() << missing_data("golden/contact_more.json");
  Worst worst("normal force on a sliding rod, relative", 1e-9);
  for (const auto& c : (*golden)["painleve_rod"]["mu_min_at"])
    for (const double part : {0.999, 1.001}) {
      const double angle = c["theta_deg"].get<double>() * std::numbers::pi / 180.0, mu = part * c["mu"].get<double>();
      const double cosine = std::cos(angle), sine = std::sin(angle), l = 0.5, mass = 1.3, r = 0.01;
      const double I = mass * 4.0 * l * l / 12.0;
      const std::string scene = fmt::format(
          "[ground]\nfriction = {:.17g}\n[[body]]\nname = \"rod\"\nmass = {}\ninertia = [{:.17g}, {:.17g}, {:.17g}, 0, "
          "0, 0]\n[[body.shape]]\nsphere = {}\nat = {{ xyz = [{:.17g}, 0, {:.17g}] }}\n[body.joint]\ntype = \"free\"\n"
          "q = [1, 0, 0, 0, 0, 0, {:.17g}]\nv = [0, 0, 0, -1, 0, 0]\n",
          mu, mass, I, I, I, r, -l * cosine, r - l * sine, l * sine);
      if (part > 1.0) {
        EXPECT_TRUE(says(refused(scene), "contact of \"rod\" and \"ground\": expected forces that obey the laws"));
        continue;
      }
      const double p = 1.0 + 3.0 * cosine * (cosine - mu * sine);
      const Json found = result(scene);
      worst.add(relative_error(-found["contact_forces"][0]["force"][2].get<double>(), mass * 9.81 / p), c.dump());
    }
}

/// Book Example 11.1: a disc in a slot that begins to narrow. Here a ball between the hollow sides of two rings.
TEST_F(EvalContact, DiscInANarrowingSlotHasNoSolutionWhileItMoves) {
  std::string scene =
      "gravity = [0, 0, 0]\n[[contact]]\nfriction = 0\n" + ball_body("disc", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0]");
  for (const double side : {1.0, -1.0})
    scene += fmt::format(
        "[[body]]\nname = \"{}\"\n[body.joint]\ntype = \"fixed\"\nat = {{ xyz = [0, 0, {}], rpy = "
        "[1.5707963267948966, 0, 0] }}\n[[body.shape]]\ntorus = {{ major = 1, minor = 0.2 }}\n",
        side > 0.0 ? "lower" : "upper", 0.7 * side);
  // at rest, and along the tubes: nothing narrows
  for (const char* state :
       {R"({"tau": [0, 0, 0, 2, 0, 0]})", R"({"v": [0, 0, 0, 0, 2, 0], "tau": [0, 0, 0, 2, 0, 0]})"})
    EXPECT_NEAR(result(scene, state)["forward_dynamics"][3].get<double>(), 2.0, 1e-12);
  EXPECT_TRUE(says(refused(scene, R"({"v": [0, 0, 0, 2, 0, 0]})"), "no acceleration exists here"));
}

TEST_F(EvalContact, WhatNeedsAnImpulseOrASpringIsRefused) {
  const std::string ball = ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.1]");
  EXPECT_TRUE(says(refused("[ground]\n" + ball, R"({"v": [0, 0, 0, 0, 0, -0.5]})"), "closes at 0.5 m/s"));
  EXPECT_TRUE(says(refused("[ground]\nstiffness = 1000\n" + ball), "found stiffness"));
  EXPECT_TRUE(says(refused("[ground]\nrolling = 0.01\n" + ball), "found rolling"));
}

}  // namespace
}  // namespace cardan::test
