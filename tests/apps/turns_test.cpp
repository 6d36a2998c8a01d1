// Turns are counted: coordinates of joints that turn on and on go on, by every formulation, however long the steps.
#include "tests/apps/scene_runs.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

class Turns : public SceneRuns {};

constexpr double kRate = 210.0, kSeconds = 3.0;  // about a hundred turns

TEST_F(Turns, JointsTurnAHundredTimesByEveryFormulation) {
  struct Case {
    std::string joint, v;
    std::vector<double> rates;
  };
  const std::vector<Case> cases{
      {"type = \"revolute\"\n", "[210]", {kRate}},
      {"type = \"helical\"\npitch = 0.1\n", "[-210]", {-kRate}},
      {"type = \"cylindrical\"\n", "[210, 5]", {kRate, 5.0}},
      {"type = \"universal\"\n", "[210, 0]", {kRate, 0.0}},
      {"type = \"spherical_euler\"\norder = \"XYZ\"\n", "[0, 0, 210]", {0.0, 0.0, kRate}},
      {"type = \"expression\"\ncoordinates = [\"a\"]\ntransform = \"rotz(a) * trans(0, 0, 0.1*a)\"\n",
       "[210]",
       {kRate}},
      {"type = \"surface\"\na = { sphere = 0.5 }\nb = { sphere = 0.3 }\nspin = 0.0\n",
       "[0, 0, 210, 0]",
       {0.0, 0.0, kRate, 0.0}},
      {"type = \"on_surface\"\nsurface = { torus = { major = 0.8, minor = 0.2 } }\n", "[210, 0]", {kRate, 0.0}},
  };
  for (const auto& c : cases)
    for (const std::string formulation : {"recursive", "redmax", "maximal"})
      for (const std::string every : {"0.01", "0.5"}) {
        // a ball, so that it keeps turning about any axis
        const std::string scene =
            "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\n"
            "inertia = [0.2, 0.2, 0.2, 0, 0, 0]\n[body.joint]\n" +
            c.joint + "v = " + c.v + "\n";
        const CsvTable run = motion(
            scene, {"--formulation", formulation, "--duration", fmt::format("{}", kSeconds), "--output-every", every});
        if (run.rows.empty()) continue;
        for (std::size_t i = 0; i < c.rates.size(); ++i) {
          const std::string column = c.rates.size() == 1 ? "q.b" : fmt::format("q.b.{}", i);
          EXPECT_NEAR(value(run, column, run.rows.size() - 1), c.rates[i] * kSeconds, 1e-5) << scene << formulation;
        }
      }
}

TEST_F(Turns, ANutStaysOnItsThread) {
  for (const std::string formulation : {"recursive", "redmax", "maximal"})
    for (const std::string every : {"0.01", "0.5"}) {
      const std::string scene = R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.2, 0.3, 0, 0, 0]
[body.joint]
type = "cylindrical"
v = [210.0, 21.0]
[[loop]]
a = "world"
b = "b"
type = "helical"
pitch = 0.1
)";
      const CsvTable run = motion(scene, {"--formulation", formulation, "--duration", "3", "--output-every", every});
      if (run.rows.empty()) continue;
      EXPECT_NEAR(value(run, "q.b.0", run.rows.size() - 1), 630.0, 1e-4) << formulation;
      EXPECT_NEAR(value(run, "q.b.1", run.rows.size() - 1), 63.0, 1e-5) << formulation;
    }
}

TEST_F(Turns, EulerAnglesGoOnWhereTheirOrderChanges) {
  for (const std::string order : {"XYZ", "XYX", "ZYX", "ZXZ"}) {
    const std::string scene =
        "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\n"
        "inertia = [0.1, 0.2, 0.3, 0, 0, 0]\n[body.joint]\ntype = \"spherical_euler\"\norder = \"" +
        order + "\"\nq = [0.3, 0.9, 0.2]\nv = [5.0, 0.3, 0.2]\n[simulation]\nduration = 4\noutput_every = 0.001\n";
    const CsvTable run = motion(scene);
    for (std::size_t row = 1; row < run.rows.size(); ++row)
      for (int i = 0; i < 3; ++i) {
        const std::string number = fmt::format("b.{}", i);
        const double before = value(run, "q." + number, row - 1), now = value(run, "q." + number, row);
        const double fastest =
            std::max(std::abs(value(run, "v." + number, row)), std::abs(value(run, "v." + number, row - 1)));
        ASSERT_LE(std::abs(now - before), 1e-6 + 1.1e-3 * fastest) << order << ", row " << row;
      }
  }
}

}  // namespace
}  // namespace cardan::test
