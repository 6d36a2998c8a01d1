// Loops that close on another branch than the one that is meant are told: by sweeps and by runs.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

#include <random>
#include <sstream>

namespace cardan::test {
namespace {

struct FourBar {
  double ground, crank, coupler, rocker;

  /// Relative angle of the coupler and angle of the rocker, with the elbow up (side 1) or down (-1): two circles meet.
  std::array<double, 2> closed(double angle, int side) const {
    const double x = crank * std::cos(angle), y = crank * std::sin(angle), dx = ground - x, dy = -y;
    const double d = std::hypot(dx, dy);
    const double inner = std::acos((coupler * coupler + d * d - rocker * rocker) / (2.0 * coupler * d));
    const double b = std::atan2(dy, dx) + side * inner;
    const double px = x + coupler * std::cos(b), py = y + coupler * std::sin(b);
    return {std::remainder(b - angle, 2.0 * std::numbers::pi), std::atan2(py, px - ground)};
  }
  /// On which side of the line from the crank's pin to the rocker's pivot the elbow is.
  int side(double angle, double relative) const {
    const double x = crank * std::cos(angle), y = crank * std::sin(angle), b = angle + relative;
    return (ground - x) * std::sin(b) + y * std::cos(b) > 0.0 ? 1 : -1;
  }

  /// Starts near coordinates that are rounded, and shifted by the parameters u and w.
  std::string scene(double angle, const std::array<double, 2>& q, const std::string& more = "") const {
    const auto bar = [](const char* name, const char* parent, double length, double at, const std::string& start) {
      return fmt::format(
          "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1\ncom = [{:.17g}, 0, 0]\ninertia = [0.1, 0.1, 0.1, 0, 0, "
          "0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nat = {{ xyz = [{:.17g}, 0, 0] }}\nq = [{}]\n",
          name, parent, 0.5 * length, at, start);
    };
    return fmt::format("cardan = 1\n[parameters]\nu = 0\nw = 0\nlength = {:.17g}\n", coupler) +
           bar("crank", "world", crank, 0.0, fmt::format("{:.17g}", angle)) +
           bar("coupler", "crank", coupler, crank, fmt::format("\"{:.2f} + u\"", q[0])) +
           bar("rocker", "world", rocker, ground, fmt::format("\"{:.2f} + w\"", q[1])) +
           fmt::format(
               "[[loop]]\nname = \"pin\"\na = \"coupler\"\nb = \"rocker\"\nat_a = {{ xyz = [\"length\", 0, 0] }}\n"
               "at_b = {{ xyz = [{:.17g}, 0, 0] }}\ntype = \"revolute\"\naxis = [0, 0, 1]\n[simulation]\nduration = "
               "0.01\n{}",
               rocker, more);
  }
};

class Branches : public SceneRuns {
 protected:
  /// Grashof linkages of random lengths, at a random angle of the crank.
  FourBar random_linkage() {
    for (;;) {
      const FourBar out{uniform(1.5, 2.5), uniform(0.5, 0.9), uniform(1.5, 2.2), uniform(1.2, 2.2)};
      const std::array<double, 4> bars{out.ground, out.crank, out.coupler, out.rocker};
      const auto [least, most] = std::minmax_element(bars.begin(), bars.end());
      if (2.0 * (*least + *most) < 0.95 * (bars[0] + bars[1] + bars[2] + bars[3])) return out;
    }
  }
  double uniform(double a, double b) { return std::uniform_real_distribution<>(a, b)(random_); }
  std::vector<std::string> warnings(const std::string& scene) const {
    const Outcome outcome = run({"simulate", file(scene), "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> out;
    const Json summary = Json::parse(outcome.out);
    for (const auto& text : summary.at("warnings"))
      if (says(text, "branch")) out.push_back(text);
    return out;
  }

  std::mt19937_64 random_{11};
};

constexpr const char* kReduced = "independent = [\"crank\"]\n";

/// Runs whose starting coordinates wander from one elbow to the other.
TEST_F(Branches, ASweepSaysWhichRunsStartOnAnotherOne) {
  int same = 0, other = 0;
  for (int trial = 0; trial < repetitions(4, 60); ++trial) {
    const FourBar bars = random_linkage();
    const double angle = uniform(-3.0, 3.0);
    const auto up = bars.closed(angle, 1), down = bars.closed(angle, -1);
    const std::string scene = file(bars.scene(angle, up, kReduced)), out = folder_.path(fmt::format("s{}", trial));
    const double turn = std::remainder(down[1] - up[1], 2.0 * std::numbers::pi), bend = down[0] - up[0];
    for (const double part : {0.2, 1.0}) {
      const std::string place = out + (part < 1.0 ? "a" : "b");
      const Outcome outcome =
          run({"sweep", scene, "--vary", fmt::format("u={:.17g}:{:.17g}:1", part * bend, part * bend), "--vary",
               fmt::format("w={:.17g}:{:.17g}:1", part * turn, part * turn), "--trajectories", "--out", place});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const CsvTable motion = load_csv(place + "/runs/0.csv");
      const bool is_same = bars.side(angle, value(motion, "q.coupler", 0)) == 1;
      const std::string table = file_contents(place + "/sweep.csv");
      EXPECT_NEAR(value(motion, "q.crank", 0), angle, 1e-12);
      EXPECT_EQ(says(table, "another branch than in the scene as given"), !is_same) << table;
      EXPECT_EQ(says(outcome.out, "start on another branch"), !is_same) << outcome.out;
      (is_same ? same : other) += 1;
    }
  }
  EXPECT_GT(same, 0);
  EXPECT_GT(other, 0);
}

/// Lengths that change move the joints, and the elbow stays on its side.
TEST_F(Branches, LengthsThatChangeKeepTheBranch) {
  for (int trial = 0; trial < repetitions(3, 40); ++trial) {
    const FourBar bars = random_linkage();
    const double angle = uniform(-3.0, 3.0);
    const int side = trial % 2 == 0 ? 1 : -1;
    const std::string scene = file(bars.scene(angle, bars.closed(angle, side), trial % 3 == 0 ? kReduced : ""));
    const std::string out = folder_.path(fmt::format("l{}", trial));
    const Outcome outcome = run({"sweep", scene, "--vary",
                                 fmt::format("length={:.17g}:{:.17g}:5", 0.97 * bars.coupler, 1.03 * bars.coupler),
                                 "--trajectories", "--out", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(says(file_contents(out + "/sweep.csv"), "branch")) << file_contents(out + "/sweep.csv");
    for (int k = 0; k < 5; ++k) {
      const CsvTable motion = load_csv(fmt::format("{}/runs/{}.csv", out, k));
      EXPECT_EQ(bars.side(value(motion, "q.crank", 0), value(motion, "q.coupler", 0)), side);
    }
  }
}

/// Newton's steps from far away leap; what the coordinates given lead to continuously is another elbow.
TEST_F(Branches, ARunWarnsWhereItsCoordinatesMeanAnotherOne) {
  const FourBar bars{2.0, 0.8, 1.8, 1.5};
  const double angle = 1.0471975511965976;
  const auto up = bars.closed(angle, 1), down = bars.closed(angle, -1);
  for (const auto& elbow : {up, down})
    for (const char* more : {"", kReduced}) EXPECT_TRUE(warnings(bars.scene(angle, elbow, more)).empty());
  const auto told = warnings(bars.scene(angle, {-2.2, 1.0}, kReduced));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(says(told[0], "than at the coordinates that the scene gives")) << told[0];
}

TEST_F(Branches, IndependentCoordinatesKeepTheirValues) {
  const FourBar bars{2.0, 0.8, 1.8, 1.5};
  for (const double angle : {-2.0, 0.5, 1.7}) {
    const auto up = bars.closed(angle, 1);
    const CsvTable run = motion(bars.scene(angle, {up[0] + 0.3, up[1] - 0.2}, kReduced));
    EXPECT_DOUBLE_EQ(value(run, "q.crank", 0), angle);
    EXPECT_NEAR(value(run, "q.coupler", 0), up[0], 1e-9);
    EXPECT_NEAR(value(run, "q.rocker", 0), up[1], 1e-9);
  }
}

/// Peaucellier's linkage: arms of 0.5 m, a crank of 0.2 m and a rhombus of sides s. Its corner E is opposite to the pin
/// C at 0.4 m, and both meet where s = sqrt(0.5^2 - 0.4^2) = 0.3 m: from there on E may stay on C or go its own way.
TEST_F(Branches, ASweepPastAPositionInWhichBranchesMeetSaysSo) {
  std::string scene = "cardan = 1\n[parameters]\ns = 0.2\n";
  const auto bar = [&](const char* name, const char* parent, const char* length, const char* at, double q) {
    scene += fmt::format(
        "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1\ncom = [\"{}/2\", 0, 0]\ninertia = [1e-2, 1e-2, 1e-2, 0, "
        "0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nat = {{ xyz = [{}, 0, 0] }}\nq = [{}]\n",
        name, parent, length, at, q);
  };
  bar("crank", "world", "0.2", "0.2", 0.0);
  for (const auto& [arm, side, corner, sign] :
       {std::tuple("arm B", "C to B", "B to E", 1.0), std::tuple("arm D", "C to D", "D to E", -1.0)}) {
    bar(arm, "world", "0.5", "0", 0.4 * sign);
    bar(side, "crank", "s", "0.2", 1.5 * sign);
    bar(corner, arm, "s", "0.5", -1.5 * sign);
  }
  const auto pin = [&](const char* a, const char* at_a, const char* b, const char* at_b) {
    scene += fmt::format(
        "[[loop]]\na = \"{}\"\nb = \"{}\"\nat_a = {{ xyz = [\"{}\", 0, 0] }}\nat_b = {{ xyz = [\"{}\", 0, "
        "0] }}\ntype = \"revolute\"\naxis = [0, 0, 1]\n",
        a, b, at_a, at_b);
  };
  pin("C to B", "s", "arm B", "0.5");
  pin("C to D", "s", "arm D", "0.5");
  pin("B to E", "s", "D to E", "s");
  scene += "[[motion]]\njoint = \"crank\"\nposition = \"0.1*sin(t)\"\n[simulation]\nduration = 0.02\n";
  const std::string out = folder_.path("peaucellier");
  const Outcome outcome = run({"sweep", file(scene), "--vary", "s=0.165:0.345:10", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(file_contents(out + "/sweep.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "run,s,status,note");
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(says(line, "another branch"), 0.165 + 0.02 * k > 0.3) << line;
  }
}

}  // namespace
}  // namespace cardan::test
