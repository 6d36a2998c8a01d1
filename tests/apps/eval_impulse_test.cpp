// Impulsive dynamics through `cardan eval`: against the mass matrix by hand, and against accelerations of the same
// mechanism at rest without gravity, with a loop too.
#include "tests/apps/run_command.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace cardan::test {
namespace {

using Json = nlohmann::json;

class EvalImpulse : public testing::Test {
 protected:
  Outcome run(const std::string& scene, const std::string& request) {
    return run_command({"eval", folder.write("s.toml", "cardan = 1\n" + scene), folder.write("s.json", request)},
                       folder);
  }
  Json results(const std::string& scene, const std::string& request) {
    const Outcome outcome = run(scene, request);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out)["results"] : Json();
  }

  TemporaryFolder folder;
};

/// A point mass of 2 kg, 0.5 m below a hinge: an impulse p at the mass turns it by p l/(m l^2), whatever gravity is.
TEST_F(EvalImpulse, APendulumIsStruckAtItsMass) {
  const std::string pendulum =
      "[[body]]\nname = \"bob\"\nmass = 2\ncom = [0, 0, -0.5]\ninertia = [0, 0, 0, 0, 0, 0]\n"
      "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
      "[[body]]\nname = \"tip\"\nparent = \"bob\"\nmass = 0\n[body.joint]\ntype = \"fixed\"\nat = { xyz = [0, 0, -0.5] "
      "}\n";
  const Json found = results(pendulum, R"({"quantities": ["impulse_response"], "frame": "tip",
      "states": [{"q": [0.4], "wrench": [0, 0, 0, 3, 0, 0]}, {"q": [0.4], "v": [7], "tau": [1.5]}]})");
  for (const Json& one : found) {  // 3 N s across the rod, and the same as an impulse of the hinge, clockwise as y says
    const double sign = &one == &found[0] ? -1.0 : 1.0;
    EXPECT_NEAR(one["impulse_response"]["dv"][0].get<double>(), sign * 3.0 * 0.5 / (2.0 * 0.25), 1e-12);
    EXPECT_TRUE(one["impulse_response"]["constraint_impulses"].empty());
  }
}

TEST_F(EvalImpulse, AFourBarRespondsAsItAcceleratesAtRest) {
  const auto bar = [](const char* name, const char* parent, const char* at, double q) {
    return fmt::format(
        "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1.5\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1, 0, 0, 0]\n"
        "[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nat = {{ xyz = {} }}\nq = [{:.17g}]\n",
        name, parent, at, q);
  };
  const double angle = 1.1;
  const std::string scene = "gravity = [0, 0, 0]\n" + bar("crank", "world", "[0, 0, 0]", angle) +
                            bar("coupler", "crank", "[1, 0, 0]", -angle) +
                            bar("rocker", "coupler", "[1, 0, 0]", angle - std::numbers::pi) +
                            "[[loop]]\nname = \"pin\"\na = \"rocker\"\nb = \"world\"\nat_a = { xyz = [1, 0, 0] }\n"
                            "at_b = { xyz = [1, 0, 0] }\ntype = \"revolute\"\naxis = [0, 0, 1]\n";
  const Json found = results(scene, R"({"quantities": ["impulse_response", "forward_dynamics", "constraint_forces"],
      "states": [{"tau": [1, -2, 0.5]}]})")[0];
  const Json& response = found["impulse_response"];
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(response["dv"][k].get<double>(), found["forward_dynamics"][k].get<double>(), 1e-10);
  ASSERT_EQ(response["constraint_impulses"].size(), 1u);
  EXPECT_EQ(response["constraint_impulses"][0]["constraint"], found["constraint_forces"][0]["constraint"]);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(response["constraint_impulses"][0]["force"][k].get<double>(),
                found["constraint_forces"][0]["force"][k].get<double>(), 1e-9);
  // a wrench on a frame is J' of it at the joints
  const Json struck = results(scene, R"({"quantities": ["impulse_response", "jacobian"], "frame": "rocker",
      "states": [{"wrench": [0, 0, 0.3, 1, 2, 0]}]})")[0];
  const double wrench[6] = {0, 0, 0.3, 1, 2, 0};
  double tau[3] = {};
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t k = 0; k < 3; ++k) tau[k] += struck["jacobian"][row][k].get<double>() * wrench[row];
  const Json same = results(
      scene,
      fmt::format(R"({{"quantities": ["impulse_response"], "states": [{{"tau": [{:.17g}, {:.17g}, {:.17g}]}}]}})",
                  tau[0], tau[1], tau[2]))[0];
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(struck["impulse_response"]["dv"][k].get<double>(), same["impulse_response"]["dv"][k].get<double>(),
                1e-10);
}

TEST_F(EvalImpulse, AWrenchNeedsItsFrame) {
  const std::string body = "[[body]]\nname = \"a\"\nmass = 1\n[body.joint]\ntype = \"prismatic\"\naxis = [0, 0, 1]\n";
  EXPECT_TRUE(
      says(refusal(run(body, R"({"quantities": ["impulse_response"], "states": [{"wrench": [0, 0, 0, 1, 0, 0]}]})")),
           "state 0: \"wrench\": expected the quantity \"impulse_response\" and a \"frame\" that it acts on"));
  EXPECT_TRUE(says(
      refusal(run(body, R"({"quantities": ["impulse_response"], "frame": "a", "states": [{"wrench": [1, 0, 0]}]})")),
      "state 0: \"wrench\": expected 6 numbers, found 3"));
}

}  // namespace
}  // namespace cardan::test
