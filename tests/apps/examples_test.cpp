// Every scene of examples/ by the command, to the end of its own duration: what examples/README.md promises.
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

}  // namespace
}  // namespace cardan::test
