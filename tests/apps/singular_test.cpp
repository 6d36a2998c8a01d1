// Mass matrices that are singular or nearly so: every method is right, or says that it is not.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

#include <random>

namespace cardan::test {
namespace {

class Singular : public SceneRuns {
 protected:
  /// Accelerations of a scene at its initial state; none where it is refused.
  std::vector<double> accelerations(const std::string& scene, const std::string& formulation) const {
    const Outcome outcome =
        run({"eval", file(scene),
             file(fmt::format(R"({{"quantities": ["forward_dynamics"], "formulation": "{}", "states": [{{}}]}})",
                              formulation),
                  "request.json")});
    if (outcome.code != 0) {
      EXPECT_TRUE(says(outcome.err, "next to no inertia") || says(outcome.err, "singular")) << outcome.err;
      return {};
    }
    return Json::parse(outcome.out)["results"][0]["forward_dynamics"].get<std::vector<double>>();
  }
};

/// A crank, a coupler on a ball joint, and a rocker that a ball joint closes the loop to; the coupler's own inertia
/// beside the point mass at its end is `part` of it.
std::string linkage(std::mt19937_64& random, double part) {
  const auto number = [&](double from, double to) { return std::uniform_real_distribution<>(from, to)(random); };
  std::string out = "cardan = 1\n";
  const double mass = number(0.5, 2.0);
  out += fmt::format(
      "[[body]]\nname = \"crank\"\nmass = 1.4\ncom = [0.1, 0, 0]\ninertia = [0.004, 0.01, 0.011, 0, 0, "
      "0]\n[body.joint]\n"
      "type = \"revolute\"\nq = [{:.17g}]\nv = [{:.17g}]\n",
      number(-1.0, 1.0), number(-2.0, 2.0));
  out += fmt::format(
      "[[body]]\nname = \"coupler\"\nparent = \"crank\"\nmass = {:.17g}\ncom = [{:.17g}, {:.17g}, 0.1]\n"
      "inertia = [{:.17g}, {:.17g}, {:.17g}, 0, 0, 0]\n[body.joint]\ntype = \"spherical\"\nat = {{ xyz = [0.25, 0, "
      "0.04] }}\n",
      mass, number(0.3, 0.5), number(-0.2, 0.2), 0.1 * mass * part, 0.1 * mass * part, 0.1 * mass * part);
  out += fmt::format(
      "[[body]]\nname = \"rocker\"\nmass = 1.8\ncom = [0.3, 0.05, 0.02]\ninertia = [0.02, 0.05, 0.06, 0, 0, 0]\n"
      "[body.joint]\ntype = \"revolute\"\naxis = [0, {:.17g}, 1]\nat = {{ xyz = [0.8, 0.7, -0.1] }}\n",
      number(0.2, 0.6));
  return out +
         "[[loop]]\nname = \"ball\"\na = \"coupler\"\nb = \"rocker\"\ntype = \"spherical\"\nat_a = { xyz = [1.1, 0.1, "
         "0] }\n"
         "at_b = { xyz = [-0.1, 0.75, 0.14] }\n";
}

TEST_F(Singular, LightCouplersAreRightByEveryMethodOrRefused) {
  std::mt19937_64 random(3);
  int refused = 0, right = 0;
  for (int trial = 0; trial < repetitions(4, 40); ++trial)
    for (const double part : {1e-3, 1e-7, 1e-9, 1e-12, 0.0}) {
      const std::string scene = linkage(random, part);
      const std::vector<double> truth = accelerations(scene, "maximal");
      if (truth.empty()) continue;  // cannot be closed or singular itself: no test of methods
      double size = 1.0;
      for (const double a : truth) size = std::max(size, std::abs(a));
      std::vector<std::pair<std::string, std::vector<double>>> found{{"redmax", accelerations(scene, "redmax")}};
      for (const std::string method : {"automatic", "direct", "dual", "elimination", "articulated", "sparse"})
        found.emplace_back(
            method, accelerations(scene + "[simulation]\nconstraint_method = \"" + method + "\"\n", "recursive"));
      for (const auto& [method, a] : found) {
        (a.empty() ? refused : right) += 1;
        EXPECT_FALSE(a.empty() && method != "articulated" && method != "dual") << method << scene;
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], truth[i], 1e-5 * size) << method << scene;
      }
    }
  EXPECT_GT(refused, 0);
  EXPECT_GT(right, 5 * refused);
}

TEST_F(Singular, APointMassOnAUniversalJointNearItsLock) {
  // m = l = 1 at angle b from the first axis' normal plane: (cos b)^2 a0 = tau0 at rest without gravity
  for (const double off : {1e-2, 1e-4, 1e-6, 0.0}) {
    const std::string scene = fmt::format(
        "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\ncom = [0, 0, 1]\n[body.joint]\n"
        "type = \"universal\"\nq = [0.3, {:.17g}]\n",
        0.5 * std::numbers::pi - off);
    const std::string request =
        file(R"({"quantities": ["forward_dynamics"], "states": [{"tau": [0.1, 0]}]})", "request.json");
    const Outcome outcome = run({"eval", file(scene), request});
    if (off > 0.0) {
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const double a = Json::parse(outcome.out)["results"][0]["forward_dynamics"][0];
      EXPECT_NEAR(a * std::sin(off) * std::sin(off), 0.1, 1e-9);
    } else {
      EXPECT_TRUE(says(refusal(outcome), "joint \"b\": the mass matrix is singular")) << outcome.err;
      EXPECT_TRUE(says(refusal(run({"simulate", file(scene)})), "the mass matrix is singular"));
      EXPECT_TRUE(says(run({"info", file(scene)}).out, "the mass matrix is singular"));
    }
  }
}

TEST_F(Singular, EveryStateIsLookedAt) {
  const std::string scene = R"(cardan = 1
[[body]]
name = "crank"
mass = 1.0
com = [0.1, 0.0, 0.0]
inertia = [0.01, 0.02, 0.02, 0.0, 0.0, 0.0]
[body.joint]
type = "revolute"
[[body]]
name = "coupler"
parent = "crank"
mass = 0.7
com = [0.0, 0.0, 0.5]
[body.joint]
type = "universal"
at = { xyz = [0.3, 0.0, 0.0], rpy = [0.2, 0.1, 0.0] }
q = [0.4, 0.2]
[[body]]
name = "cart"
mass = 2.0
inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]
[body.joint]
type = "translational"
[[loop]]
name = "ball"
a = "coupler"
b = "cart"
type = "spherical"
at_a = { xyz = [0.3, 0.2, 0.8] }
)";
  // the accelerations of a state do not depend on the states before it, nor on the way they are found
  const std::string regular = R"({"q": [0.3, 0.4, 0.2, 0.8, 0.0, 0.6], "v": [0.5, -0.3, 0.8, 0, 0, 0]})",
                    locked = R"({"q": [0.3, 0.4, 1.5707963267948966, 0.9, 0.6, -0.2], "v": [0.5, -0.3, 0.8, 0, 0, 0]})";
  const auto find = [&](const std::string& states, const std::string& formulation) {
    return eval(file(scene),
                fmt::format(R"({{"quantities": ["forward_dynamics"], "formulation": "{}", "states": [{}]}})",
                            formulation, states))["results"];
  };
  const Json both = find(regular + ", " + locked + ", " + regular, "recursive"),
             maximal = find(regular + ", " + locked, "maximal"), redmax = find(regular + ", " + locked, "redmax");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(both[0]["forward_dynamics"][i].get<double>(), both[2]["forward_dynamics"][i].get<double>(), 1e-10);
  for (std::size_t state = 0; state < 2; ++state)
    for (std::size_t i = 0; i < 6; ++i) {
      const double truth = maximal[state]["forward_dynamics"][i];
      EXPECT_NEAR(both[state]["forward_dynamics"][i].get<double>(), truth, 1e-8 * (1.0 + std::abs(truth)));
      EXPECT_NEAR(redmax[state]["forward_dynamics"][i].get<double>(), truth, 1e-8 * (1.0 + std::abs(truth)));
    }
}

TEST_F(Singular, ALongChainInALoopIsNotSingular) {
  // what its first joints carry as a whole is a million times what they feel
  constexpr int kLinks = 400;
  std::string scene = "cardan = 1\n";
  for (int i = 0; i < kLinks; ++i)
    scene += fmt::format(
        "[[body]]\nname = \"b{}\"\nparent = \"{}\"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1, 0, 0, 0]\n"
        "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nat = {{ xyz = [{}, 0, 0] }}\nq = [{:.17g}]\n",
        i, i == 0 ? "world" : fmt::format("b{}", i - 1), i == 0 ? 0 : 1, i == 0 ? 0.3 : -0.6 / (kLinks - 1));
  scene += fmt::format(
      "[[loop]]\nname = \"end\"\na = \"b{}\"\nb = \"world\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n"
      "at_a = {{ xyz = [1, 0, 0] }}\nat_b = {{ xyz = [{:g}, 0, 0] }}\n",
      kLinks - 1, 0.98 * kLinks);
  const CsvTable run = motion(scene, {"--duration", "0.01", "--step", "0.005", "--output-every", "0.01"});
  ASSERT_FALSE(run.rows.empty());
  EXPECT_NEAR(value(run, "energy", run.rows.size() - 1), value(run, "energy", 0),
              1e-6 * std::abs(value(run, "potential", 0)));
}

TEST_F(Singular, GimbalLockAtAnOutputIsAFailureAndNoNumber) {
  // the run itself goes on in other angles, but in these the velocity is none
  const Outcome outcome = run({"simulate", file(R"(cardan = 1
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "spherical_euler"
order = "ZXZ"
)"),
                               "--out", folder_.path("run.csv")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "joint \"ball\" (spherical_euler) is singular")) << outcome.err;
  EXPECT_FALSE(says(file_contents(folder_.path("run.csv")), "nan"));
}

}  // namespace
}  // namespace cardan::test
