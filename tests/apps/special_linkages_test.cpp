// Linkages that are hard on solvers, by every formulation through the command: nets of many loops, and loops next to a
// configuration in which their equations lose rank.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

class SpecialLinkages : public SceneRuns {
 protected:
  /// Accelerations at a state by one way; empty where the command refuses, with one line.
  std::vector<double> accelerations(const std::string& scene, const std::string& q, const std::string& way) const {
    const std::string request =
        file("{\"quantities\": [\"forward_dynamics\"], " + way + ", \"states\": [{\"q\": " + q + "}]}", "states.json");
    const Outcome outcome = run({"eval", scene, request});
    if (outcome.code != 0) {
      refusal(outcome);
      return {};
    }
    return Json::parse(outcome.out)["results"][0]["forward_dynamics"].get<std::vector<double>>();
  }
};

constexpr const char* kWays[] = {R"("formulation": "recursive")", R"("constraint_method": "sparse")",
                                 R"("formulation": "redmax")", R"("formulation": "maximal")"};

/// Columns of links on ball joints hang side by side; rods from column to column close a loop each.
std::string net(int columns, int rows) {
  std::string out = "cardan = 1\nname = \"net\"\ngravity = [1, 2, -9]\n";
  const auto body = [&](const std::string& name, const std::string& parent, const char* com, const char* inertia,
                        const std::string& at, const char* damping) {
    out += fmt::format(
        "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1\ncom = {}\ninertia = {}\n[body.joint]\n"
        "type = \"spherical_euler\"\norder = \"XYZ\"\nat = {{ xyz = {} }}\ndamping = {}\n",
        name, parent, com, inertia, at, damping);
  };
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) {
      const std::string link = fmt::format("link{}_{}", c, r);
      body(link, r == 0 ? "world" : fmt::format("link{}_{}", c, r - 1), "[0, 0, -0.5]", "[0.08, 0.08, 0.01, 0, 0, 0]",
           r == 0 ? fmt::format("[{}, 0, 0]", c) : "[0, 0, -1]", "0");
    }
  for (int c = 0; c + 1 < columns; ++c)
    for (int r = 0; r < rows; ++r) {
      const std::string rod = fmt::format("rod{}_{}", c, r);
      body(rod, fmt::format("link{}_{}", c, r), "[0.5, 0, 0]", "[0.01, 0.08, 0.08, 0, 0, 0]", "[0, 0, -1]", "0");
      out += fmt::format(
          "[[loop]]\nname = \"loop{0}_{1}\"\na = \"{2}\"\nb = \"link{3}_{1}\"\nat_a = {{ xyz = [1, 0, 0] }}\n"
          "at_b = {{ xyz = [0, 0, -1] }}\ntype = \"spherical\"\n",
          c, r, rod, c + 1);
    }
  return out;
}

TEST_F(SpecialLinkages, NetsByEveryFormulation) {
  Worst worst("accelerations of nets by every formulation", 1e-9);
  for (const auto& [columns, rows] : {std::pair(3, 3), std::pair(5, 4)}) {
    const std::string scene = file(net(columns, rows));
    const int bodies = columns * rows + (columns - 1) * rows;
    std::string q = "[0";
    for (int i = 1; i < 3 * bodies; ++i) q += ", 0";
    q += "]";
    const std::vector<double> first = accelerations(scene, q, kWays[0]);
    ASSERT_EQ(first.size(), static_cast<std::size_t>(3 * bodies));
    for (const char* way : kWays) {
      const std::vector<double> other = accelerations(scene, q, way);
      ASSERT_EQ(other.size(), first.size()) << way;
      for (std::size_t i = 0; i < first.size(); ++i) worst.add(std::abs(other[i] - first[i]), way);
    }
  }
}

/// A parallelogram of cranks of 1 m and a coupler moves like a pendulum: theta'' = -g cos(theta) (1 + m) / (2/3 + m)
/// with cranks of 1 kg and a coupler of m kg. At theta = 0 it could also fold the other way: there its equations lose
/// rank.
TEST_F(SpecialLinkages, ParallelogramsNextToTheirChangePoint) {
  const std::string crank =
      "mass = 1\ncom = [0.5, 0, 0]\ninertia = [0.001, 0.08333333333333333, 0.08333333333333333, 0, 0, 0]\n";
  const std::string hinge = "[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\n";
  const std::string scene = file(
      "cardan = 1\nname = \"parallelogram\"\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"crank\"\n" + crank + hinge +
      "[[body]]\nname = \"coupler\"\nparent = \"crank\"\nmass = 2\ncom = [1, 0, 0]\ninertia = [0.001, 0.7, 0.7, 0, 0, "
      "0]\n" +
      hinge + "at = { xyz = [1, 0, 0] }\n[[body]]\nname = \"rocker\"\n" + crank + hinge +
      "at = { xyz = [2, 0, 0] }\n[[loop]]\nname = \"pin\"\na = \"coupler\"\nb = \"rocker\"\nat_a = { xyz = [2, 0, 0] "
      "}\n"
      "at_b = { xyz = [1, 0, 0] }\ntype = \"revolute\"\naxis = [0, 0, 1]\n");
  Worst worst("acceleration of a parallelogram (rad/s^2)", 1e-8);
  int answered = 0;
  for (const double theta : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11, 0.0})
    for (const char* way : kWays) {
      const std::vector<double> a =
          accelerations(scene, fmt::format("[{0:.17g}, {1:.17g}, {0:.17g}]", theta, -theta), way);
      if (a.empty()) continue;  // said to be singular
      ++answered;
      const double expected = -9.81 * std::cos(theta) * (1.0 + 2.0) / (2.0 / 3.0 + 2.0);
      worst.add(std::abs(a[0] - expected), fmt::format("{} {}", theta, way));
    }
  EXPECT_GE(answered, 11 * 4);  // nearer, rounding may decide: by the graph of bodies this is said
}

}  // namespace
}  // namespace cardan::test
