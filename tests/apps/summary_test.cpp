// What summaries and warnings of runs say of how they were computed.
#include "tests/apps/scene_runs.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

class Summaries : public SceneRuns {
 protected:
  Json summary(const std::string& scene, std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments{"simulate", scene, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_FALSE(outcome.out.empty()) << outcome.err;
    return Json::parse(outcome.out);
  }
  static std::string energy_warning(const Json& summary) {
    for (const auto& text : summary.at("warnings"))
      if (says(text, "the energy drifts")) return text;
    return "";
  }
};

TEST_F(Summaries, CompiledCodeIsSaidWhereItRuns) {
  const std::string scene = file(kRod + "[simulation]\nduration = 0.1\n");
  EXPECT_TRUE(summary(scene, {"--formulation", "recursive"}).at("compiled"));
  for (const char* formulation : {"maximal", "redmax"})
    EXPECT_FALSE(summary(scene, {"--formulation", formulation}).at("compiled")) << formulation;
  EXPECT_FALSE(summary(kExamplesOfScenes + "stack.toml", {"--duration", "0.01"}).at("compiled"));
}

/// `variational` is recommended where it then keeps the energy with the very step of the run, and not to a windmill of
/// rolling rings.
TEST_F(Summaries, VariationalIsRecommendedWhereItHolds) {
  const std::string tree = file(kRod + "v = [1]\n" + kLowerRod + "q = [1.2]\n");
  const std::vector<std::string> coarse{"--integrator", "euler", "--step", "0.002", "--duration", "5"};
  EXPECT_TRUE(says(energy_warning(summary(tree, coarse)), "variational"));
  std::vector<std::string> recommended = coarse;
  recommended[1] = "variational";
  EXPECT_EQ(energy_warning(summary(tree, recommended)), "");
  const std::string told = energy_warning(
      summary(kExamplesOfScenes + "windmill.toml", {"--integrator", "euler", "--step", "0.005", "--duration", "3"}));
  EXPECT_TRUE(says(told, "munthe_kaas_54") && !says(told, "variational")) << told;
}

/// Coordinates that are named make the formulation reduced unless the command says another.
TEST_F(Summaries, IndependentCoordinatesGoWithTheFormulation) {
  std::string text = file_contents(kExamplesOfScenes + "four_bar.toml");
  const auto add = [&text](const std::string& line) { text.insert(text.find("duration = "), line + "\n"); };
  add("independent = [\"crank\"]");
  const std::string scene = file(text);
  const Outcome reduced = run({"simulate", scene, "--duration", "0.01", "--formulation", "reduced"});
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_TRUE(says(reduced.out, "reduced formulation") && says(reduced.out, "loops are closed around")) << reduced.out;
  EXPECT_FALSE(says(reduced.out, "a tree")) << reduced.out;
  EXPECT_EQ(summary(scene, {"--duration", "0.01"}).at("formulation"), "reduced");
  EXPECT_EQ(summary(scene, {"--duration", "0.01", "--formulation", "recursive"}).at("formulation"), "recursive");
  add("formulation = \"recursive\"");
  EXPECT_TRUE(says(refusal(run({"simulate", file(text)})), "expected formulation = \"reduced\" beside it"));
}

/// A path that finds no way says which one, where and when.
TEST_F(Summaries, APathThatFindsNoWayIsNamed) {
  const auto scene = [](double turn) {
    return fmt::format(R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [-0.024, 1, 0.2]
q = [{:.17g}]
v = [2]
[[force]]
name = "string"
type = "cable"
stiffness = 1e-6
points = [{{ body = "world", at = [0.317, -0.294, -0.005] }}, {{ body = "b", at = [-0.061, 0.182, 0.346] }}]
wraps = [{{ body = "world", after = 1, torus = {{ major = 0.24, minor = 0.169 }}, side = [0.0717, 0, 0] }}]
[simulation]
duration = 2
)",
                       turn);
  };
  EXPECT_TRUE(says(refusal(run({"simulate", file(scene(0.0))})),
                   "t = 0: cable \"string\": a path finds no way round its torus on its side, between points 1 and 2"));
  int under_way = 0;
  for (const double turn : {-2.0, -1.5, -1.0, -0.5}) {
    const Outcome outcome = run({"simulate", file(scene(turn))});
    if (outcome.code == 0 || says(outcome.err, "t = 0:")) continue;
    ++under_way;
    EXPECT_TRUE(says(outcome.err, "simulate: t = ") && says(outcome.err, ": cable \"string\": a path finds no way"))
        << outcome.err;
  }
  EXPECT_GT(under_way, 0);
}

/// A ball that is held on another by a loop rolls nowhere else than one whose joint is that contact.
TEST_F(Summaries, SurfacesCloseLoops) {
  const std::string body =
      "cardan = 1\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.02, 0.02, 0.02, 0, 0, 0]\n[body.joint]\n";
  const std::string record =
      "[[record]]\nname = \"p\"\nframe = \"b\"\nquantity = \"position\"\n[simulation]\nduration = 0.3\n";
  const std::string surfaces = "{ sphere = 0.5 }\n", other = "{ sphere = 0.3 }\n";
  const CsvTable joint = motion(body + "type = \"surface\"\na = " + surfaces + "b = " + other +
                                "spin = \"free\"\nq = [0.2, 1.2, 0, 0.3, 0]\n" + record);
  ASSERT_FALSE(joint.rows.empty());
  const auto place = [&](std::size_t row) {
    return fmt::format("{:.17g}, {:.17g}, {:.17g}", value(joint, "p.x", row), value(joint, "p.y", row),
                       value(joint, "p.z", row));
  };
  const CsvTable loop = motion(body + "type = \"free\"\nq = [1, 0, 0, 0, " + place(0) +
                               "]\n[[loop]]\na = \"world\"\nb = \"b\"\ntype = \"surface\"\nsurface_a = " + surfaces +
                               "surface_b = " + other + "spin = \"free\"\n" + record);
  ASSERT_FALSE(loop.rows.empty());
  // a ball that rolls and slides without friction: its center moves as a point on the sphere of both radii
  for (const char* axis : {"p.x", "p.y", "p.z"})
    EXPECT_NEAR(value(loop, axis, loop.rows.size() - 1), value(joint, axis, joint.rows.size() - 1), 1e-6) << axis;
  const Outcome told = run({"info", file(body + "type = \"free\"\n[[loop]]\na = \"world\"\nb = \"b\"\ntype = "
                                                "\"surface\"\n")});
  EXPECT_TRUE(says(refusal(told), "expected surface_a beside it")) << told.err;
}

}  // namespace
}  // namespace cardan::test
