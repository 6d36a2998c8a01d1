// Steps that are too long for what is stiff are a warning; runs that are slow say why while they go on.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

#include <random>

namespace cardan::test {
namespace {

class Stiffness : public SceneRuns {
 protected:
  /// What a run warns of steps that are too long; empty if it does not.
  std::string warning(const std::string& scene, std::vector<std::string> options) const {
    std::vector<std::string> arguments{"simulate", scene, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    if (outcome.out.empty()) return outcome.err;
    const Json warnings = Json::parse(outcome.out)["warnings"];
    for (const auto& text : warnings)
      if (says(text, "too long for what is stiff")) return text;
    return "";
  }
};

TEST_F(Stiffness, StepsBeyondTheLimitOfStabilityAreSaid) {
  std::mt19937_64 random(7);
  const auto magnitude = [&](double from, double to) {
    return std::pow(10.0, std::uniform_real_distribution<>(from, to)(random));
  };
  for (int trial = 0; trial < repetitions(6, 60); ++trial) {
    // m x'' + c x' + k x = 0, one body slow and one fast
    const double m = magnitude(-2, 2), k = magnitude(1, 7), c = trial % 2 == 0 ? 0.0 : magnitude(1, 5);
    const double root = c * c - 4.0 * m * k;
    const double rate = root > 0.0 ? (c + std::sqrt(root)) / (2.0 * m) : std::sqrt(k / m);
    std::string scene = "cardan = 1\ngravity = [0, 0, 0]\n";
    for (const bool fast : {false, true})
      scene += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = {:.17g}\n[body.joint]\ntype = \"prismatic\"\nq = [0.1]\nstiffness = "
          "{:.17g}\n"
          "damping = {:.17g}\n",
          fast ? "fast" : "slow", m, fast ? k : 1e-4 * k, fast ? c : 0.0);
    // the symplectic method's step has determinant 1 - h c/m and trace 2 - h c/m - h^2 k/m: stable up to 2 h c/m + h^2
    // k/m = 4
    const double symplectic = (std::sqrt(c * c + 4.0 * m * k) - c) / k;
    for (const auto& [method, limit] : {std::pair("rk4", 2.78 / rate), std::pair("munthe_kaas_4", 2.78 / rate),
                                        std::pair("symplectic_euler", symplectic)})
      for (const double part : {0.9, 1.1}) {
        const double step = part * limit;
        const std::string text = warning(file(scene), {"--integrator", method, "--step", fmt::format("{:.17g}", step),
                                                       "--duration", fmt::format("{:.17g}", 20.0 * step)});
        if (part < 1.0)
          EXPECT_EQ(text, "") << scene;
        else
          EXPECT_TRUE(says(text, "joint \"fast\"") && says(text, method)) << scene << text;
      }
  }
}

TEST_F(Stiffness, ImplicitAndAdaptiveMethodsAreNotWarnedOf) {
  const std::string scene = file(kRod + "stiffness = 1e8\n[simulation]\nduration = 0.01\n");
  EXPECT_EQ(warning(scene, {"--integrator", "bdf2", "--step", "1e-3"}), "");
  EXPECT_EQ(warning(scene, {}), "");
  EXPECT_NE(warning(scene, {"--integrator", "rk4", "--step", "1e-3"}), "");
}

TEST_F(Stiffness, MusclesThatAreTooStiffForTheStepAreNamed) {
  const std::string arm = kExamplesOfScenes + "arm26.toml";
  EXPECT_TRUE(says(warning(arm, {"--integrator", "rk4", "--step", "0.001", "--duration", "0.05"}), "muscle"));
  EXPECT_EQ(warning(arm, {"--integrator", "rk4", "--step", "1e-5", "--duration", "0.0005"}), "");
}

TEST_F(Stiffness, ASlowRunSaysWhatIsStiff) {
  if (repetitions(0, 1) == 0) GTEST_SKIP() << "takes seconds: CARDAN_LONG=1 runs it";
  const std::string scene = file(kRod + "stiffness = 1e13\ndamping = 1e9\n[simulation]\nduration = 10\n");
  const std::string err = folder_.path("stderr");
  (void)std::system(("timeout 8 " CARDAN_COMMAND " simulate " + scene + " 2>" + err + " >/dev/null").c_str());
  const std::string said = file_contents(err);
  EXPECT_TRUE(says(said, "simulate: slow: t = ") && says(said, "joint \"rod\" is stiff") && says(said, "bdf2")) << said;
}

}  // namespace
}  // namespace cardan::test
