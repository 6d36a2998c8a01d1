// The REDMAX scenes with friction inside joints and loops, on a floor, and with joint limits, written as scene files
// and run by the command with bilateral staggered projections: the state histories of the reference's own stepper.
#include "cardan/dynamics/tree_equations.hpp"
#include "cardan/io/scene.hpp"
#include "tests/apps/redmax_table.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using nlohmann::json;

constexpr const char* kFile = "redmax/scenes.json";

/// The reference leaves J_dot v out of joint reactions where there is friction; without friction it steps plainly.
std::string simulation_of(const json& scene) {
  const json& gamma = scene.at("baumgarte").at("gamma_vel");
  return fmt::format(
      "contact_solver = \"bilateral_staggered_projections\"\nstabilization = \"baumgarte\"\nbaumgarte = [5, 5, {}]\n"
      "staggering = {{ velocity_products = {} }}\n",
      gamma.get<double>(), scene.at("friction_in_euler").get<bool>() ? "false" : "true");
}

Table run(const json& scene, TemporaryFolder& folder) {
  const json& measured = scene.at("measured").at("redmax_euler");
  const std::string path = folder.path("scene.toml"), csv = folder.path("run.csv");
  const auto friction = scene.at("friction_in_euler").get<bool>() ? RedmaxFriction::in_joints : RedmaxFriction::none;
  std::ofstream(path) << redmax_scene_file(scene, simulation_of(scene), friction);
  const std::string h = fmt::format("{}", scene.at("h_euler").get<double>());
  const Outcome out = run_command({"simulate", path, "--out", csv, "--step", h, "--output-every", h, "--duration",
                                   fmt::format("{}", measured.at("t").back().get<double>())},
                                  folder);
  EXPECT_EQ(out.code, 0) << out.err;
  return Table(csv);
}

/// The row of the table at a time.
std::size_t row_at(const json& scene, const json& t) {
  return static_cast<std::size_t>(std::lround(t.get<double>() / scene.at("h_euler").get<double>()));
}

class RedmaxFrictionCommand : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxFrictionCommand, BilateralStaggeredProjections) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const json& scene = *find_scene(*file, GetParam());
  TemporaryFolder folder;
  const Table table = run(scene, folder);
  const json& measured = scene.at("measured").at("redmax_euler");
  Worst error("states, scene " + std::to_string(GetParam()), 1e-6);
  const auto compare = [&](const json& part, const char* what) {
    for (std::size_t row = 0; row < part.at("t").size(); ++row) {
      const std::size_t step = row_at(scene, part.at("t")[row]);
      ASSERT_LT(step, table.rows.size());
      error.add(difference(scene, part.at("q")[row], table, step, "q"),
                what + std::string(" q ") + std::to_string(row));
      error.add(difference(scene, part.at("qdot")[row], table, step, "v"),
                what + std::string(" v ") + std::to_string(row));
    }
  };
  compare(measured.at("first_steps"), "first steps");
  compare(measured, "history");
  const std::size_t last = table.rows.size() - 1;
  const double T = table.at(last, "kinetic"), V = table.at(last, "potential") - table.at(0, "potential");
  error.add(std::abs(T + V - measured.at("H").get<double>()) / std::max(std::abs(T), std::abs(V)), "energy");
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxFrictionCommand, ::testing::Values(27, 28, 30, 31),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

/// Two hinges of which one has limits, stepped by formulas written here: H v = H v0 + h f with v_k held at its limit by
/// one impulse. With `quirk` the upper limit lets go at gamma times the excess, as the reference does (semantics.md,
/// Q3); without, it pushes back.
std::vector<State> two_hinges_with_limits(const Scene& scene, int limited, double gamma, double h, int steps,
                                          bool quirk) {
  TreeEquations equations(scene.model);
  std::vector<State> out{scene.initial};
  Eigen::MatrixXd H(2, 2);
  Eigen::VectorXd f(2);
  for (int i = 0; i < steps; ++i) {
    State state = out.back();
    equations.mass_matrix(state.q, H);
    equations.bias_force(state.q, state.v, f);
    Eigen::Map<Eigen::Vector2d> q(state.q.data()), v(state.v.data());
    Eigen::Vector2d next = v + h * H.ldlt().solve(f);
    const DofProperties& dof = scene.model.dof(limited);
    const double at = q[limited];
    const auto hold = [&](double side, double bound) {  // side v <= bound
      const Eigen::Vector2d response = H.ldlt().solve(Eigen::Vector2d::Unit(2, limited));
      const double excess = next[limited] - side * bound;
      if (side * excess > 0.0) next -= response * (excess / response[limited]);
    };
    if (at <= dof.lower) hold(-1.0, -gamma * (dof.lower - at));
    if (at >= dof.upper) hold(1.0, (quirk ? 1.0 : -1.0) * gamma * (at - dof.upper));
    v = next;
    q += h * next;
    out.push_back(state);
  }
  return out;
}

TEST(RedmaxLimits, Scene6UpToTheUpperLimitAndItsQuirkAfterwards) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const json& data = *find_scene(*file, 6);
  const json& measured = data.at("measured").at("redmax_euler");
  TemporaryFolder folder;
  const Table table = run(data, folder);
  const Scene scene = parse_scene(redmax_scene_file(data, simulation_of(data)), "scene 6");
  const int limited = scene.model.link(scene.model.joint_named(redmax_body(1))).v;
  const double h = data.at("h_euler"), gamma = data.at("baumgarte").at("gamma_vel");
  const int steps = static_cast<int>(table.rows.size()) - 1;
  const auto right = two_hinges_with_limits(scene, limited, gamma, h, steps, false),
             quirk = two_hinges_with_limits(scene, limited, gamma, h, steps, true);
  const auto velocity_of = [&](int joint) { return scene.model.link(scene.model.joint_named(redmax_body(joint))).v; };

  Worst product("scene 6, the command against formulas, all steps", 1e-9);
  int lower = 0, upper = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (const int joint : {0, 1}) {
      const auto k = static_cast<std::size_t>(velocity_of(joint));
      product.add(std::abs(table.at(row, "q." + redmax_body(joint)) - right[row].q[k]), "q");
      product.add(std::abs(table.at(row, "v." + redmax_body(joint)) - right[row].v[k]) / 30.0, "v");
      lower += joint == 1 && right[row].q[k] <= scene.model.dof(limited).lower;
      upper += joint == 1 && right[row].q[k] >= scene.model.dof(limited).upper;
    }
  EXPECT_GT(lower, 0);
  EXPECT_GT(upper, 0);
  Worst reference("scene 6, formulas with the quirk against the reference, 2 s", 1e-6),
      before("scene 6, the command against the reference, before the upper limit", 1e-9);
  for (std::size_t row = 0; row < measured.at("t").size(); ++row) {
    const std::size_t step = row_at(data, measured.at("t")[row]);
    bool untouched = true;
    for (std::size_t i = 0; i < step; ++i)
      untouched &= quirk[i].q[static_cast<std::size_t>(limited)] < scene.model.dof(limited).upper;
    if (untouched) before.add(difference(data, measured.at("q")[row], table, step, "q"), "q");
    for (const json& joint : data.at("joints")) {
      const auto k = static_cast<std::size_t>(velocity_of(joint.at("index")));
      const auto place = joint.at("dof_indices")[0].get<std::size_t>();
      reference.add(std::abs(quirk[step].q[k] - measured.at("q")[row][place].get<double>()), "q");
      reference.add(std::abs(quirk[step].v[k] - measured.at("qdot")[row][place].get<double>()) / 30.0, "v");
    }
  }
}

}  // namespace
}  // namespace cardan::test
