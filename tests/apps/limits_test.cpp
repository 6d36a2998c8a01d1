// Limits of joints through the command: which of them hold, and how a run speaks of them.
#include "tests/apps/scene_runs.hpp"

#include <random>

namespace cardan {
namespace {

using test::Json;
using test::Outcome;

class Limits : public test::SceneRuns {
 protected:
  /// Rods side by side that fall from q about y, each with its limits.
  static std::string rods(const std::vector<std::array<double, 3>>& rods) {
    std::string out = "cardan = 1\nname = \"rods\"\n";
    for (std::size_t i = 0; i < rods.size(); ++i)
      out += "[[body]]\nname = \"b" + std::to_string(i) +
             "\"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.08, 0.08, 0, 0, 0]\n[body.joint]\ntype = "
             "\"revolute\"\naxis = [0, 1, 0]\nq = [" +
             std::to_string(rods[i][0]) + "]\nlimits = [[" + std::to_string(rods[i][1]) + ", " +
             std::to_string(rods[i][2]) + "]]\n";
    return out;
  }
};

/// A joint that starts outside its limits is not held by that one, and says so; all others are. Rods fall towards
/// pi/2: held ones end on their upper limits.
TEST_F(Limits, OneThatIsViolatedAtTheStartFreesNoOther) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 0.5);
  for (int trial = 0; trial < 4; ++trial) {
    const double outside = uniform(random), lower = outside + uniform(random), upper = uniform(random);
    const std::string scene = rods({{outside, lower, lower + 0.1}, {0.0, -1.0, upper}, {upper + 0.2, -1.0, upper}});
    const std::string csv = folder_.path("run.csv");
    const Outcome outcome = run({"simulate", file(scene), "--duration", "1", "--json", "--out", csv});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const CsvTable found = load_csv(csv);
    const std::vector<double>& end = found.rows.back();
    EXPECT_NEAR(end[1], lower + 0.1, 1e-4);  // passed its lower limit, stopped at the upper one
    EXPECT_NEAR(end[2], upper, 1e-4);
    EXPECT_GT(end[3], upper + 0.3);
    const auto warnings = Json::parse(outcome.out).at("warnings").get<std::vector<std::string>>();
    ASSERT_EQ(warnings.size(), 1u) << outcome.out;
    EXPECT_TRUE(
        warnings[0].starts_with("initial state: outside limits of joints, which do not hold there: joint \"b0\""))
        << warnings[0];
    EXPECT_TRUE(test::says(warnings[0], ", joint \"b2\" at ")) << warnings[0];
    EXPECT_FALSE(test::says(warnings[0], "b1")) << warnings[0];
  }
}

/// The pose that the warning proposes is inside when it is put into the scene, and `clamp` starts there, whatever the
/// command line says: each coordinate is the nearer end of its range.
TEST_F(Limits, AStartOutsideIsPutOnTheNearestPoseInside) {
  const std::string scene = rods({{0.3, 0.5, 0.6}, {0.2, -1.0, 1.0}, {0.9, -1.0, 0.7}});
  const auto warnings_of = [&](const std::string& text, std::vector<std::string> options = {}) {
    std::vector<std::string> arguments{"info", file(text), "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Json::parse(run(arguments).out).at("warnings").get<std::vector<std::string>>();
  };
  const std::vector<std::string> told = warnings_of(scene);
  ASSERT_EQ(told.size(), 1u);
  const std::string proposed = told[0].substr(told[0].rfind("q = {"));
  EXPECT_EQ(proposed, "q = { b0 = 0.5, b2 = 0.7 }");
  EXPECT_TRUE(warnings_of(scene + "[initial]\n" + proposed + "\n").empty());
  EXPECT_TRUE(warnings_of(scene, {"--set", "initial.clamp=true"}).empty());
  EXPECT_EQ(warnings_of(scene, {"--set", "initial.clamp=false"}).size(), 1u);

  const CsvTable given = motion(scene + "[initial]\n" + proposed + "\n", {"--duration", "0.3"});
  const CsvTable clamped = motion(scene + "[initial]\nclamp = true\n", {"--duration", "0.3"});
  EXPECT_EQ(clamped.rows, given.rows);
  const CsvTable by_option =
      motion(scene + "[initial]\nclamp = true\n", {"--duration", "0.01", "--q", "b1=-3", "--q", "b0=0.55"});
  EXPECT_EQ(by_option.rows.front()[1], 0.55);
  EXPECT_EQ(by_option.rows.front()[2], -1.0);
  EXPECT_EQ(by_option.rows.front()[3], 0.7);
}

/// A joint of several coordinates is proposed as a whole.
TEST_F(Limits, TheNearestPoseOfAJointOfSeveralCoordinates) {
  const std::string scene =
      "cardan = 1\n[[body]]\nname = \"a b\"\nmass = 1\n[body.joint]\ntype = \"translational\"\nq = [1, 2, 3]\n"
      "limits = [[-inf, 0.25], [0, 5], [4, inf]]\n";
  const Outcome outcome = run({"info", file(scene)});
  EXPECT_TRUE(test::says(outcome.out,
                         "joint \"a b\" coordinate 0 at 1 (-inf to 0.25), joint \"a b\" coordinate 2 at 3 "
                         "(4 to inf); the nearest pose inside"))
      << outcome.out;
  EXPECT_TRUE(test::says(outcome.out, "q = { \"a b\" = [0.25, 2, 4] }")) << outcome.out;
}

/// A stop takes energy, which is no drift; what is beyond it is in rad, and no penetration of bodies.
TEST_F(Limits, AStopIsNoDriftAndRadiansAreNoMeters) {
  const std::string scene = file(rods({{0.0, -1.0, 1.0}}));
  const Outcome outcome = run({"simulate", scene, "--duration", "2", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json summary = Json::parse(outcome.out);
  EXPECT_FALSE(summary.at("conservative").get<bool>());
  EXPECT_TRUE(summary.at("warnings").empty()) << summary.at("warnings").dump();
  EXPECT_EQ(summary.at("contact").at("penetration").get<double>(), 0.0);
  EXPECT_LT(summary.at("contact").at("limit_excess").get<double>(), 1e-2);
  const Outcome text = run({"simulate", scene, "--duration", "2"});
  EXPECT_FALSE(test::says(text.out, "penetration")) << text.out;
  EXPECT_TRUE(test::says(text.out, "(contacts, limits, friction, forces or motions do work)")) << text.out;
  // not reached: energy is kept, and watched
  const Outcome free = run({"simulate", file(rods({{0.0, -1.0, 4.0}})), "--duration", "2", "--json"});
  EXPECT_TRUE(Json::parse(free.out).at("conservative").get<bool>()) << free.out;
}

}  // namespace
}  // namespace cardan
