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
    ASSERT_EQ(warnings.size(), 2u) << outcome.out;
    EXPECT_TRUE(warnings[0].starts_with("joint \"b0\": starts outside its limits")) << warnings[0];
    EXPECT_TRUE(warnings[1].starts_with("joint \"b2\": starts outside its limits")) << warnings[1];
  }
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
