// Linkages through their change points, where all bars lie on one line and two ways go on: energy stays, and the motion
// does not depend on the step.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

#include <random>

namespace cardan::test {
namespace {

class ChangePoints : public SceneRuns {};

/// A bar that lies along x, on a hinge about z.
std::string bar(const std::string& name, const std::string& parent, double at, double length, double mass, double q,
                double v) {
  return fmt::format(
      "[[body]]\nname = \"{0}\"\nparent = \"{1}\"\nmass = {4:.17g}\ncom = [{5:.17g}, 0, 0]\n"
      "inertia = [0.001, {6:.17g}, {6:.17g}, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\nat = {{ xyz = [{2:.17g}, 0, "
      "0] }}\n"
      "q = [{3:.17g}]\nv = [{7:.17g}]\n",
      name, parent, at, q, mass, 0.5 * length, mass * length * length / 12.0, v);
}

/// A four-bar linkage whose shortest and longest bars are as long as the two others together: it folds onto one line.
std::string folding_linkage(std::mt19937_64& random) {
  const auto number = [&](double from, double to) { return std::uniform_real_distribution<>(from, to)(random); };
  const double crank = number(0.3, 0.5), ground = crank + number(0.1, 0.3), rocker = crank + number(0.05, 0.3);
  const double coupler = ground + rocker - crank, angle = number(0.8, 1.2);
  // where the ends of coupler and rocker meet
  const double x = crank * std::cos(angle) - ground, y = crank * std::sin(angle), d = std::hypot(x, y);
  const double between = std::acos((d * d + rocker * rocker - coupler * coupler) / (2.0 * d * rocker));
  const double turn = std::atan2(y, x) + (random() % 2 == 0 ? between : -between);
  const double toward = std::atan2(rocker * std::sin(turn) - y, rocker * std::cos(turn) - x);
  return "cardan = 1\ngravity = [0, 0, 0]\n" +
         bar("crank", "world", 0.0, crank, number(0.5, 1.5), angle, number(2.0, 4.0)) +
         bar("coupler", "crank", crank, coupler, number(0.3, 1.0), toward - angle, 0.0) +
         bar("rocker", "world", ground, rocker, number(0.5, 1.5), turn, 0.0) +
         fmt::format(
             "[[loop]]\nname = \"pin\"\na = \"coupler\"\nb = \"rocker\"\ntype = \"revolute\"\nat_a = {{ xyz = "
             "[{:.17g}, "
             "0, 0] }}\nat_b = {{ xyz = [{:.17g}, 0, 0] }}\n[simulation]\nduration = 4\n",
             coupler, rocker);
}

TEST_F(ChangePoints, FoldingLinkagesKeepTheirEnergyAndTheirWay) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < repetitions(2, 40); ++trial) {
    const std::string scene = folding_linkage(random);
    double first = 0.0;
    for (const std::vector<std::string>& method :
         {std::vector<std::string>{"--integrator", "rk4", "--step", "0.00073"},
          std::vector<std::string>{"--integrator", "munthe_kaas_4", "--step", "0.001"}, std::vector<std::string>{},
          std::vector<std::string>{"--formulation", "maximal"}}) {
      const CsvTable run = motion(scene, method);
      if (run.rows.empty()) continue;
      const std::size_t last = run.rows.size() - 1;
      const double energy = value(run, "energy", 0);
      EXPECT_NEAR(value(run, "energy", last), energy, 1e-5 * energy) << scene;
      const double crank = value(run, "q.crank", last);
      if (method == std::vector<std::string>{"--integrator", "rk4", "--step", "0.00073"}) first = crank;
      EXPECT_NEAR(crank, first, 1e-4) << scene << (method.empty() ? "adaptive" : method[1]);
    }
  }
}

TEST_F(ChangePoints, EveryKindOfMethodKeepsTheWay) {
  std::mt19937_64 random(12);
  for (int trial = 0; trial < repetitions(1, 20); ++trial) {
    const std::string scene = folding_linkage(random);
    const CsvTable fine = motion(scene);
    if (fine.rows.empty()) continue;
    const double crank = value(fine, "q.crank", fine.rows.size() - 1);
    for (const std::string method : {"bdf2", "generalized_alpha", "variational", "munthe_kaas_2", "dopri5"}) {
      std::vector<std::string> options{"--integrator", method};
      if (method != "dopri5") options.insert(options.end(), {"--step", "0.001"});
      const CsvTable run = motion(scene, options);
      if (run.rows.empty()) continue;
      EXPECT_NEAR(value(run, "q.crank", run.rows.size() - 1), crank, 2e-3) << method << "\n" << scene;
    }
  }
}

TEST_F(ChangePoints, AnIsoscelesSliderCrankGoesStraightThrough) {
  // a rod as long as its crank: the slider is at 2 r cos(q), through the crank's own pivot and out on the other side
  const std::string scene = "cardan = 1\ngravity = [0, -9.81, 0]\n" + bar("crank", "world", 0.0, 0.3, 1.0, 0.6, 3.0) +
                            bar("rod", "crank", 0.3, 0.3, 0.6, -1.2, 0.0) + R"([[body]]
name = "slider"
mass = 0.5
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
q = [0.49520136894580696]
[[loop]]
name = "wrist"
a = "rod"
b = "slider"
type = "revolute"
at_a = { xyz = [0.3, 0, 0] }
[simulation]
duration = 5
)";
  const CsvTable run = motion(scene);
  for (std::size_t row = 0; row < run.rows.size(); row += 10)
    EXPECT_NEAR(value(run, "q.slider", row), 0.6 * std::cos(value(run, "q.crank", row)), 1e-6) << row;
}

}  // namespace
}  // namespace cardan::test
