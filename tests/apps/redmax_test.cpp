// The public REDMAX scenes written as scene files and run by the command: the state histories of the reference's
// linearly implicit Euler stepper, with loops, coupled angles and a driven joint stabilized as it does.
#include "tests/apps/redmax_table.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/redmax_scenes.hpp"
#include "tests/support/shared_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace cardan::test {
namespace {

using nlohmann::json;

void compare(int id, const std::string& simulation, const std::string& formulation) {
  constexpr const char* kFile = "redmax/scenes.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const json& scene = *find_scene(*file, id);
  const json& measured = scene.at("measured").at("redmax_euler");
  const double h = scene.at("h_euler");
  TemporaryFolder folder;
  const std::string path = folder.path("scene.toml"), csv = folder.path("run.csv");
  std::ofstream(path) << redmax_scene_file(scene, simulation);
  std::vector<std::string> arguments{"simulate", path, "--integrator", "linearly_implicit_euler", "--out", csv};
  const auto add = [&](const char* name, double value) {
    arguments.insert(arguments.end(), {name, fmt::format("{}", value)});
  };
  add("--step", h);
  add("--output-every", h);
  add("--duration", measured.at("t").back());
  if (!formulation.empty()) arguments.insert(arguments.end(), {"--formulation", formulation});
  const Outcome run = run_command(arguments, folder);
  ASSERT_EQ(run.code, 0) << run.err;
  const Table table(csv);
  Worst error("states and energy, scene " + std::to_string(id) + " " + formulation, 1e-9);
  for (std::size_t row = 0; row < measured.at("t").size(); ++row) {
    const auto step = static_cast<std::size_t>(std::lround(measured.at("t")[row].get<double>() / h));
    ASSERT_LT(step, table.rows.size());
    error.add(difference(scene, measured.at("q")[row], table, step, "q"), "q, row " + std::to_string(row));
    error.add(difference(scene, measured.at("qdot")[row], table, step, "v"), "v, row " + std::to_string(row));
  }
  const std::size_t last = table.rows.size() - 1;
  const double T = table.at(last, "kinetic"), V = table.at(last, "potential") - table.at(0, "potential");
  error.add(std::abs(T + V - measured.at("H").get<double>()) / std::max({std::abs(T), std::abs(V), 1e-300}), "energy");
}

class RedmaxCommand : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxCommand, LinearlyImplicitEuler) { compare(GetParam(), "", ""); }
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxCommand, ::testing::Values(0, 1, 2, 3, 5, 11, 14, 16, 18, 19, 21, 22, 35),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

class RedmaxBaumgarte : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxBaumgarte, LinearlyImplicitEuler) {
  compare(GetParam(), "stabilization = \"baumgarte\"\nbaumgarte = [5, 5, 5]\n", "");
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxBaumgarte, ::testing::Values(4, 7, 9, 15, 34),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

/// Couplings by q = gamma(y) instead of multipliers: the same motion.
class RedmaxReduced : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxReduced, LinearlyImplicitEuler) { compare(GetParam(), "", "reduced"); }
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxReduced, ::testing::Values(7, 34),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

}  // namespace
}  // namespace cardan::test
