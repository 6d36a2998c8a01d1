// Runs that go on where an earlier one ended: `[initial] from` takes positions, velocities, states of forces and the
// time, so that a run in two parts is the run in one.
#include "tests/apps/run_command.hpp"
#include "tests/apps/scene_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan {
namespace {

using test::Outcome;
using test::says;
using test::TemporaryFolder;

constexpr const char* kSlider = R"(cardan = 1
name = "slider"
[[body]]
name = "b"
mass = 1
[body.joint]
type = "prismatic"
axis = [0, 0, 1]
q = [0.1]
)";

class Continue : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) { return test::run_command(arguments, folder); }

  /// The last row of a run of the scene, alone or from the middle of a shorter one.
  std::vector<double> end_of(const std::string& scene, const std::string& duration, const std::string& csv) {
    const Outcome outcome = run({"simulate", folder.write("scene.toml", scene), "--duration", duration, "--tolerance",
                                 "1e-11", "--out", folder.path(csv)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    said = outcome.out;
    const CsvTable table = load_csv(folder.path(csv));
    return table.rows.back();
  }
  void expect_same_in_two_parts(const std::string& scene, const std::string& from = "2.3") {
    SCOPED_TRACE(scene);
    const std::vector<double> whole = end_of(scene, "4", "whole.csv");
    end_of(scene, from, "half.csv");
    const std::vector<double> parts =
        end_of(scene + "[initial]\nfrom = \"half.csv\"\n", std::to_string(4.0 - std::stod(from)), "rest.csv");
    EXPECT_FALSE(says(said, "warning")) << said;
    ASSERT_EQ(parts.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      EXPECT_NEAR(parts[i], whole[i], 1e-7 * std::max(1.0, std::abs(whole[i]))) << "column " << i;
  }
  TemporaryFolder folder;
  std::string said;
};

TEST_F(Continue, TheIntegralOfAController) {
  const std::string pid = "[[controller]]\ntype = \"pid\"\njoints = [\"b\"]\ntarget = [1]\nkp = 20\nki = 10\nkd = 5\n";
  expect_same_in_two_parts(kSlider + pid);
  expect_same_in_two_parts(kSlider + pid + "period = 0.05\n");          // at a sample
  expect_same_in_two_parts(kSlider + pid + "period = 0.05\n", "2.32");  // between two
}

TEST_F(Continue, StatesAndTimeOfATextController) {
  expect_same_in_two_parts(std::string(kSlider) + R"([[controller]]
type = "text"
joints = ["b"]
state = ["x"]
rate = ["sin(2*t) - x"]
force = ["9.81 + 3*x - 4*b - v.b"]
)");
}

TEST_F(Continue, TextsOfTimeMotionsAndRestLengths) {
  expect_same_in_two_parts(std::string(kSlider) + R"toml([[body]]
name = "driven"
mass = 1
[body.joint]
type = "prismatic"
axis = [0, 0, 1]
[[motion]]
joint = "driven"
position = "0.2*sin(3*t)"
[[force]]
type = "spring"
name = "s"
points = [{ body = "b", at = [1, 0, 0] }, { body = "driven" }]
stiffness = 40
)toml");
}

TEST_F(Continue, ActivationAndFiberOfAMuscle) {
  expect_same_in_two_parts(std::string(kSlider) + R"toml([[force]]
type = "muscle"
name = "m"
points = [{ body = "world", at = [0, 0, 0.4] }, { body = "b" }]
max_force = 100
optimal_length = 0.1
slack_length = 0.2
excitation = "0.5 + 0.3*sin(4*t)"
tendon = "elastic"
[[force]]
type = "damping"
body = "b"
coefficients = [0, 0, 0, 0, 0, 20]
)toml");
}

/// A file without the states of a controller is taken, with a word about it.
TEST_F(Continue, SaysWhichStatesStartAnew) {
  end_of(kSlider, "1", "half.csv");
  const std::string pid =
      "[[controller]]\nname = \"hold\"\ntype = \"pid\"\njoints = [\"b\"]\ntarget = [1]\nkp = 20\nki = 10\n";
  end_of(kSlider + pid + "[initial]\nfrom = \"half.csv\"\n", "1", "rest.csv");
  EXPECT_TRUE(says(said, "\"half.csv\" has no column \"z.hold\"")) << said;
}

TEST_F(Continue, RefusesWhatItCannotKnow) {
  const auto refused = [&](const std::string& scene) {
    return test::refusal(run({"simulate", folder.write("scene.toml", scene)}));
  };
  const std::string pid = "[[controller]]\ntype = \"pid\"\njoints = [\"b\"]\ntarget = [1]\nkp = 20\nki = 10\n";
  end_of(kSlider + pid, "1", "half.csv");
  EXPECT_TRUE(says(refused(kSlider + pid + "[initial]\nfrom = \"half.csv\"\nat = 0.505\n"),
                   "expected the time of a row, 0.5 or 0.51 s"));
  end_of(std::string(kSlider) + "[initial]\nt = 1\n", "1", "late.csv");
  EXPECT_TRUE(says(refused(std::string(kSlider) +
                           "[[force]]\ntype = \"spring\"\nname = \"s\"\nstiffness = 1\npoints = [{ body = \"world\" }, "
                           "{ body = \"b\", at = [1, 0, 0] }]\n[initial]\nfrom = \"late.csv\"\n"),
                   "expected the rest length of spring \"s\" in the scene"));
}

/// Between two rows velocities are those of the cubic that joins the positions: 0.05 s apart, a swing of 10 rad/s and
/// 3 m/s is met to 0.004 m/s (by straight lines: to 0.08).
TEST_F(Continue, VelocitiesBetweenRows) {
  const std::string swing = std::string(kSlider) + "stiffness = 100\nrest = -0.0981\n";
  const Outcome outcome = run({"simulate", folder.write("scene.toml", swing), "--duration", "1", "--output-every",
                               "0.05", "--tolerance", "1e-12", "--out", folder.path("half.csv")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  end_of(swing + "[initial]\nfrom = \"half.csv\"\nat = 0.52\n", "0.01", "rest.csv");
  const CsvTable table = load_csv(folder.path("rest.csv"));
  const double x0 = 0.1 + 0.0981 * 2.0, w = 10.0;  // about -0.1962, where spring and weight balance
  EXPECT_NEAR(table.rows[0][table.find("q.b")], x0 * std::cos(w * 0.52) - 0.0981 * 2.0, 1e-4);
  EXPECT_NEAR(table.rows[0][table.find("v.b")], -x0 * w * std::sin(w * 0.52), 0.004);
}

}  // namespace
}  // namespace cardan
