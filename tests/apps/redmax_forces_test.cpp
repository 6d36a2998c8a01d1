// REDMAX scenes with forces between bodies, written as scene files and run by the command: accelerations at given
// states (a constant force with body damping, chains of mass points, springs without rest length), histories of
// linearly implicit Euler and of BDF.
#include "cardan/forces/spring.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
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

constexpr const char* kStabilized = "stabilization = \"baumgarte\"\nbaumgarte = [5, 5, 5]\n";

/// Names of the scene's coordinates: joints, then nodes of chains.
std::vector<std::string> coordinate_names(const json& scene) {
  std::vector<std::string> out(scene.at("nr").get<std::size_t>());
  const auto name = [&](const json& indices, const std::string& joint) {
    for (std::size_t k = 0; k < indices.size(); ++k)
      out.at(indices[k].get<std::size_t>()) = joint + (indices.size() > 1 ? "." + std::to_string(k) : "");
  };
  for (const json& joint : scene.at("joints")) name(joint.at("dof_indices"), redmax_body(joint.at("index")));
  if (!scene.contains("mass_springs")) return out;
  for (std::size_t c = 0; c < scene.at("mass_springs").size(); ++c) {
    const json& nodes = scene.at("mass_springs")[c].at("dof_indices");
    for (std::size_t k = 0; k < nodes.size(); ++k)
      name(nodes[k], redmax_node(static_cast<int>(c), static_cast<int>(k)));
  }
  return out;
}

class RedmaxForceSamples : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxForceSamples, AccelerationsByEval) {
  constexpr const char* kFile = "redmax/scenes.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const json& scene = *find_scene(*file, GetParam());
  TemporaryFolder folder;
  const std::string path = folder.path("scene.toml"), states = folder.path("states.json");
  std::ofstream(path) << redmax_scene_file(scene, kStabilized);
  const std::vector<std::string> names = coordinate_names(scene);
  // the order of the model from an empty request
  std::ofstream(states) << R"({"quantities": ["energy"], "forces": true, "states": []})";
  Outcome outcome = run_command({"eval", path, states}, folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json layout = json::parse(outcome.out).at("layout");
  std::vector<std::size_t> place;  // of each velocity of the model among the scene's coordinates
  for (const json& joint : layout)
    for (int k = 0; k < joint.at("nv").get<int>(); ++k) {
      const std::string name =
          joint.at("joint").get<std::string>() + (joint.at("nv") > 1 ? "." + std::to_string(k) : "");
      place.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    }
  json request = {{"quantities", {"forward_dynamics"}}, {"forces", true}, {"states", json::array()}};
  for (const json& sample : scene.at("rhs_samples")) {
    json state = {{"q", json::array()}, {"v", json::array()}, {"t", sample.at("t")}};
    for (const std::size_t i : place) {
      state["q"].push_back(sample.at("q").at(i));
      state["v"].push_back(sample.at("qdot").at(i));
    }
    request["states"].push_back(state);
  }
  std::ofstream(states) << request;
  outcome = run_command({"eval", path, states}, folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json results = json::parse(outcome.out).at("results");
  Worst error("accelerations, scene " + std::to_string(GetParam()), 1e-10);
  for (std::size_t s = 0; s < results.size(); ++s) {
    const json &found = results[s].at("forward_dynamics"), &expected = scene.at("rhs_samples")[s].at("qddot");
    double most = 0.0, size = 1.0;
    for (std::size_t i = 0; i < place.size(); ++i) {
      const double x = expected.at(place[i]);
      most = std::max(most, std::abs(found[i].get<double>() - x));
      size = std::max(size, std::abs(x));
    }
    error.add(most / size);
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxForceSamples, ::testing::Values(10, 12, 23),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

/// The columns of a run by name.
std::vector<std::map<std::string, double>> read_rows(const std::string& path) {
  std::ifstream in(path);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream header(line); std::getline(header, cell, ',');) names.push_back(cell);
  std::vector<std::map<std::string, double>> out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    auto& row = out.emplace_back();
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) row[names.at(i)] = std::stod(cell);
  }
  return out;
}

/// Runs a scene by the command and compares all measured states.
void compare_run(const json& scene, const json& measured, double h, const std::string& simulation,
                 const std::string& integrator) {
  TemporaryFolder folder;
  const std::string path = folder.path("scene.toml"), csv = folder.path("run.csv");
  std::ofstream(path) << redmax_scene_file(scene, simulation);
  const Outcome run = run_command({"simulate", path, "--integrator", integrator, "--out", csv, "--step",
                                   fmt::format("{}", h), "--output-every", fmt::format("{}", h), "--duration",
                                   fmt::format("{}", std::round(measured.at("t").back().get<double>() / h) * h)},
                                  folder);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto rows = read_rows(csv);
  const std::vector<std::string> names = coordinate_names(scene);
  Worst error("states, " + integrator + ", scene " + std::to_string(scene.at("id").get<int>()), 1e-9);
  for (std::size_t r = 0; r < measured.at("t").size(); ++r) {
    const auto step = static_cast<std::size_t>(std::lround(measured.at("t")[r].get<double>() / h));
    ASSERT_LT(step, rows.size());
    for (const auto& [kind, key] : {std::pair("q.", "q"), std::pair("v.", "qdot")}) {
      double most = 0.0, size = 1.0;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double x = measured.at(key)[r].at(i);
        most = std::max(most, std::abs(rows[step].at(kind + names[i]) - x));
        size = std::max(size, std::abs(x));
      }
      error.add(most / size, key + std::string(", row ") + std::to_string(r));
    }
  }
}

TEST(RedmaxForces, LinearlyImplicitEuler) {
  const auto file = shared_json("redmax/scenes.json");
  if (!file) GTEST_SKIP() << missing_data("redmax/scenes.json");
  // the damping of bodies is implicit, the constant force has no stiffness
  const json& damped = *find_scene(*file, 10);
  compare_run(damped, damped.at("measured").at("redmax_euler"), damped.at("h_euler"), "", "linearly_implicit_euler");
  // chains are explicit there
  const json& chains = *find_scene(*file, 12);
  compare_run(chains, chains.at("measured").at("redmax_euler"), chains.at("h_euler"),
              std::string(kStabilized) + "implicit_forces = \"none\"\n", "linearly_implicit_euler");
}

/// Compares all measured states with a run in this process.
void compare_states(const json& scene, const json& measured, const Trajectory& run, const std::string& what) {
  const std::vector<std::string> names = coordinate_names(scene);
  const Model& model = run.model();
  Worst error("states, " + what + ", scene " + std::to_string(scene.at("id").get<int>()), 1e-9);
  for (std::size_t r = 0; r < measured.at("t").size(); ++r) {
    const State state = run.at(measured.at("t")[r]);
    for (const bool velocities : {false, true}) {
      double most = 0.0, size = 1.0;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double x = measured.at(velocities ? "qdot" : "q")[r].at(i);
        const auto k = static_cast<std::size_t>(model.link(model.find_joint(names[i])).v);
        most = std::max(most, std::abs((velocities ? state.v : state.q)[k] - x));
        size = std::max(size, std::abs(x));
      }
      error.add(most / size, "row " + std::to_string(r));
    }
  }
}

/// A spring with what the reference's stepper takes for its stiffness and damping: the symmetric part of K, or only the
/// part along the spring; forces of dampers are in D alone.
class ReferenceSpring : public Force {
 public:
  ReferenceSpring(std::shared_ptr<const LineForce> elastic, double damping, bool only_along)
      : elastic_(std::move(elastic)), damping_(damping), only_along_(only_along) {}
  std::string name() const override { return "spring of the reference"; }
  Touches touches() const override { return elastic_->touches(); }
  void add(const Instant& at, Pushes& pushes) const override { elastic_->add(at, pushes); }
  double energy(const Instant& at) const override { return elastic_->energy(at); }
  void add_definite_tangent(const Instant& at, Tangent& tangent) const override {
    if (!only_along_) {
      Tangent exact;
      exact.resize(touches());
      elastic_->add_tangent(at, exact);
      tangent.K += 0.5 * (exact.K + exact.K.transpose());
      return;
    }
    std::vector<ForceVector<double>> pull(static_cast<std::size_t>(at.model.bodies()) + 1);
    std::vector<double> direct(static_cast<std::size_t>(at.model.nv()));
    Pushes pushes(pull, direct);
    elastic_->add_unit_pull(at, pushes);
    Eigen::VectorXd B(tangent.K.rows());
    Eigen::Index row = 0;
    for (const int body : touches().bodies)
      for (int c = 0; c < 6; ++c) B[row++] = -pull[static_cast<std::size_t>(body)][c];
    tangent.K -= elastic_->law(elastic_->length(at), 0.0, at).by_length * B * B.transpose();
    tangent.D -= damping_ * B * B.transpose();
  }

 private:
  std::shared_ptr<const LineForce> elastic_;
  double damping_;
  bool only_along_;
};

TEST(RedmaxForces, LinearlyImplicitEulerWithTheReferencesStiffness) {
  const auto file = shared_json("redmax/scenes.json");
  if (!file) GTEST_SKIP() << missing_data("redmax/scenes.json");
  for (const int id : {23, 24}) {
    const json& data = *find_scene(*file, id);
    const double h = data.at("h_euler");
    const json& measured = data.at("measured").at("redmax_euler");
    Scene scene =
        parse_scene(redmax_scene_file(data, fmt::format("integrator = \"linearly_implicit_euler\"\nstep = {0}\n"
                                                        "output_every = {0}\nduration = {1}\n",
                                                        h, measured.at("t").back().get<double>())),
                    "redmax.toml");
    for (auto& force : scene.forces) {
      const auto line = std::dynamic_pointer_cast<const ElasticLine>(force);
      ASSERT_TRUE(line);
      ElasticLine::Parameters elastic = line->parameters();
      elastic.damping = 0.0;
      force = std::make_shared<const ReferenceSpring>(
          std::make_shared<const ElasticLine>(ElasticLine::Kind::spring, line->label(), line->path(), elastic),
          line->parameters().damping, id == 24);
    }
    compare_states(data, measured, simulate(scene), "user's spring");
  }
}

class RedmaxForcesBdf : public ::testing::TestWithParam<int> {};
TEST_P(RedmaxForcesBdf, OrdersOneAndTwo) {
  const auto file = shared_json("redmax/scenes_diff.json");
  if (!file) GTEST_SKIP() << missing_data("redmax/scenes_diff.json");
  const json& scene = *find_scene(*file, GetParam());
  for (const char* method : {"BDF1", "BDF2"}) {
    const json& measured = scene.at("measured").at(method);
    // the reference ends Newton's method there, which is 1.5e-9 from the solution in scene 12
    compare_run(scene, measured, scene.at("h"), "newton_residual = 1e-9\n", std::string("bdf") + method[3]);
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxForcesBdf, ::testing::Values(10, 12),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

}  // namespace
}  // namespace cardan::test
