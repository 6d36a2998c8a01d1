// Every scene of examples/ by the command, to the end of its own duration: what examples/README.md promises.
#include "cardan/io/internal/csv.hpp"
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cardan::test {
namespace {

constexpr double kEnergyDrift = 1e-6;       // relative, where nothing does work
constexpr double kConstraintError = 1e-11;  // m or rad

std::vector<std::string> example_scenes() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".toml" || entry.path().extension() == ".urdf")
      out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

class WholeExample : public ::testing::TestWithParam<std::string> {};

TEST_P(WholeExample, RunsToItsEnd) {
  const TemporaryFolder folder;
  const Outcome outcome = run_command({"simulate", CARDAN_SOURCE_DIR "/examples/" + GetParam(), "--json"}, folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_DOUBLE_EQ(summary.at("simulated_time").get<double>(), summary.at("duration").get<double>());
  if (summary.at("conservative").get<bool>())
    EXPECT_LT(summary.at("energy_drift").at("relative").get<double>(), kEnergyDrift);
  EXPECT_LT(summary.at("largest_constraint_error").get<double>(), kConstraintError);
  if (!summary.contains("contact")) return;
  const auto unsolved = summary.at("contact").at("unsolved").get<long>();
  EXPECT_LE(unsolved, summary.at("steps").get<long>() / 1000);
  EXPECT_EQ(says(summary.at("warnings").dump(), "were not solved"), unsolved > 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, WholeExample, ::testing::ValuesIn(example_scenes()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

CsvTable run_example(const std::string& name, const TemporaryFolder& folder) {
  const std::string csv = folder.path("run.csv");
  const Outcome outcome = run_command({"simulate", CARDAN_SOURCE_DIR "/examples/" + name, "--out", csv}, folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return load_csv(csv);
}

/// The cam turns at 6 rad/s and lifts the follower by x = 0.06 + 0.0075 (1 + cos 6 t); its drive gives the power that
/// follower and roller take, 0.35 kg against a spring of 200 N/m at 0.02 m (the roller's own turning is a millionth).
TEST(Example, TheCamDrivesItsFollower) {
  const TemporaryFolder folder;
  const CsvTable run = run_example("cam.toml", folder);
  const std::size_t follower = run.find("q.follower"), moment = run.find("moment");
  for (const std::vector<double>& row : run.rows) {
    const double c = std::cos(6.0 * row[0]), s = std::sin(6.0 * row[0]);
    const double x = 0.06 + 0.0075 * (1.0 + c), force = 0.35 * -0.27 * c + 200.0 * (x - 0.02);
    EXPECT_NEAR(row[follower], x, 1e-12);
    EXPECT_NEAR(row[moment], -0.0075 * s * force, 1e-5);
  }
}

/// The drive turns at 2 rad/s and takes the wheel along by a quarter in a slot; its motor gives the power that the
/// wheel's inertia takes, I phi' phi'' in derivatives by the drive's angle.
TEST(Example, TheGenevaDriveTurnsItsWheel) {
  const auto wheel = [](double drive) {
    const double turns = std::floor((drive + M_PI) / (2.0 * M_PI)), a = drive - 2.0 * M_PI * turns, r = std::sqrt(0.5);
    const double in_slot = std::atan2(r * std::sin(a), 1.0 - r * std::cos(a));
    return -(M_PI / 2.0 * turns + (std::abs(a) < M_PI / 4.0 ? in_slot : std::copysign(M_PI / 4.0, a)));
  };
  const TemporaryFolder folder;
  const CsvTable run = run_example("geneva_drive.toml", folder);
  const std::size_t angle = run.find("q.wheel"), moment = run.find("moment");
  double most = 0.0;
  for (const std::vector<double>& row : run.rows) {
    const double h = 1e-4, drive = 2.0 * row[0];
    const double before = wheel(drive - h), at = wheel(drive), after = wheel(drive + h);
    const double slope = (after - before) / (2.0 * h), bend = (after - 2.0 * at + before) / (h * h);
    EXPECT_NEAR(row[angle], at, 1e-9);
    const double from_line = std::abs(std::remainder(drive, 2.0 * M_PI));
    if (std::abs(from_line - M_PI / 4.0) > 2.0 * h) EXPECT_NEAR(row[moment], 8e-4 * 4.0 * slope * bend, 1e-5);
    most = std::max(most, std::abs(row[moment]));
  }
  EXPECT_GT(most, 0.02);
}

}  // namespace
}  // namespace cardan::test
