// Formulations are interchangeable: random scenes with springs, muscles, strands, dampers and loops through the
// command, by recursive, redmax and maximal coordinates; `maximal = true` for some bodies; what is refused.
#include "tests/apps/run_command.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace cardan::test {
namespace {

using nlohmann::json;

std::vector<std::vector<double>> rows_of(const std::string& csv) {
  std::istringstream in(csv);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::vector<double>> out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    auto& row = out.emplace_back();
    while (std::getline(cells, cell, ',')) row.push_back(std::strtod(cell.c_str(), nullptr));
  }
  return out;
}

/// The largest difference of two runs, against the largest number of the first.
double difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0.0, size = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) return INFINITY;
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      most = std::max(most, std::abs(a[i][k] - b[i][k]));
      size = std::max(size, std::abs(a[i][k]));
    }
  }
  return most / size;
}

class Formulations : public ::testing::Test {
 protected:
  std::string write(const std::string& text, const std::string& name = "scene.toml") {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  std::vector<std::vector<double>> run(const std::string& scene, std::vector<std::string> options) {
    const std::string csv = folder_.path("run.csv");
    options.insert(options.begin(), {"simulate", scene});
    options.insert(options.end(), {"--out", csv});
    const Outcome outcome = run_command(options, folder_);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return rows_of(file_contents(csv));
  }
  TemporaryFolder folder_;
};

TEST_F(Formulations, AgreeOnRandomScenes) {
  std::mt19937 generator(4711);
  Worst accelerations("accelerations of three formulations", 1e-9), motions("motions over 2 s", 1e-6);
  int loops = 0, sensitive = 0;
  for (int trial = 0; trial < repetitions(8, 50); ++trial) {
    const std::string text = random_scene(generator, {.most_bodies = 6, .most_loops = 2, .forces = true});
    loops += says(text, "[[loop]]") ? 1 : 0;
    const std::string scene = write(text);
    const Outcome compared = run_command({"compare-formulations", scene, "--json"}, folder_);
    ASSERT_EQ(compared.code, 0) << compared.err << text;
    const json all = json::parse(compared.out);
    const std::vector<double> first = all[0].at("accelerations");
    const Eigen::Map<const Eigen::VectorXd> expected(first.data(), static_cast<Eigen::Index>(first.size()));
    for (const json& entry : all) {
      if (entry.contains("refused")) {
        EXPECT_EQ(entry.at("formulation"), "reduced") << entry;
        continue;
      }
      const std::vector<double> found = entry.at("accelerations");
      accelerations.add(relative_error(expected, Eigen::Map<const Eigen::VectorXd>(found.data(), expected.size())),
                        fmt::format("trial {}, {}", trial, entry.at("formulation").get<std::string>()));
    }
    const std::vector<std::string> fixed{"--duration", "2", "--tolerance", "1e-11", "--output-every", "0.1"};
    const auto recursive = run(scene, fixed);
    // a motion that multiplies errors says nothing about formulations
    const auto coarser = run(scene, {"--duration", "2", "--tolerance", "1e-10", "--output-every", "0.1"});
    if (difference(recursive, coarser) > 1e-7) {
      ++sensitive;
      continue;
    }
    for (const char* name : {"redmax", "maximal"}) {
      std::vector<std::string> options = fixed;
      options.insert(options.end(), {"--formulation", name});
      motions.add(difference(recursive, run(scene, options)), fmt::format("trial {}, {}", trial, name));
    }
  }
  EXPECT_GT(loops, 0);
  EXPECT_LE(sensitive, 2);
}

constexpr const char* kArmWithLoad = R"(cardan = 1
[[body]]
name = "upper"
mass = 1
com = [0, 0, -0.25]
inertia = [0.02, 0.02, 0.002, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [0.7]
[[body]]
name = "lower"
parent = "upper"
mass = 0.7
com = [0, 0, -0.2]
inertia = [0.01, 0.01, 0.001, 0, 0, 0]
[body.joint]
type = "spherical"
at = { xyz = [0, 0, -0.5] }
v = [0.3, 0.1, 2]
[[body]]
name = "load"
parent = "lower"
mass = 2
inertia = [0.03, 0.04, 0.05, 0, 0, 0]
MARK
[body.joint]
type = "revolute"
axis = [1, 0, 0]
at = { xyz = [0, 0, -0.4] }
q = [0.4]
armature = 0.02
[[force]]
type = "spring"
points = [{ body = "load", at = [0.1, 0, 0] }, { body = "world", at = [0, 0.3, -1] }]
stiffness = 40
damping = 1
[[body]]
name = "tip"
parent = "load"
mass = 0.3
com = [0, 0, -0.1]
inertia = [0.002, 0.002, 0.0002, 0, 0, 0]
[body.joint]
type = "universal"
at = { xyz = [0, 0.1, -0.1] }
v = [1, 0]
)";

std::string arm(const std::string& mark) {
  std::string out = kArmWithLoad;
  return out.replace(out.find("MARK"), 4, mark);
}

/// One body with a pose of its own between reduced ones moves as they do.
TEST_F(Formulations, OneMaximalBodyAmongReducedOnes) {
  const std::vector<std::string> options{"--duration", "2", "--tolerance", "1e-11", "--output-every", "0.1"};
  const auto expected = run(write(arm("")), options);
  const auto mixed = run(write(arm("maximal = true")), options);
  EXPECT_LT(difference(expected, mixed), 1e-7);
}

/// A linearly implicit step in joint coordinates has one meaning, whatever solves it.
TEST_F(Formulations, ImplicitStepsOfLongTreesAreThoseOfShortOnes) {
  // a chain of 70 hinges with springs: beyond the size that is solved dense, but for the reduced formulation
  std::string text = "cardan = 1\n";
  for (int i = 0; i < 70; ++i)
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nparent = \"{}\"\nmass = 0.1\ncom = [0.05, 0, 0]\ninertia = [1e-5, 1e-4, 1e-4, 0, 0, "
        "0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, {}, {}]\nat = {{ xyz = [{}, 0, 0] }}\nstiffness = "
        "2\ndamping "
        "= 0.01\nq = [{}]\n",
        i, i == 0 ? "world" : "b" + std::to_string(i - 1), i % 2, 1 - i % 2, i == 0 ? 0.0 : 0.1, 0.01 * (i % 7));
  for (int i = 0; i + 5 < 70; i += 5)
    text += fmt::format(
        "[[force]]\ntype = \"spring\"\npoints = [{{ body = \"b{}\", at = [0, 0.02, 0] }}, {{ body = \"b{}\", at = [0, "
        "0.02, 0] }}]\nstiffness = 300\ndamping = 1\n",
        i, i + 5);
  const std::string scene = write(text);
  const std::vector<std::string> options{"--duration", "0.2",          "--step",
                                         "0.01",       "--integrator", "linearly_implicit_euler"};
  const auto direct = run(scene, options);
  auto by = [&](const char* name) {
    std::vector<std::string> with = options;
    with.insert(with.end(), {"--formulation", name});
    return run(scene, with);
  };
  EXPECT_LT(difference(direct, by("redmax")), 1e-9);   // conjugate gradients
  EXPECT_LT(difference(direct, by("reduced")), 1e-9);  // dense matrices
}

TEST_F(Formulations, RefusalsSayWhatToDo) {
  const std::string contact = write(
      "cardan = 1\n[ground]\n[[body]]\nname = \"ball\"\nmass = 1\n[body.joint]\ntype = "
      "\"free\"\n[[body.shape]]\nsphere = 0.1\n");
  EXPECT_TRUE(says(refusal(run_command({"simulate", contact, "--formulation", "maximal"}, folder_)),
                   "expected formulation \"recursive\" with contact or friction, found \"maximal\""));
  EXPECT_TRUE(says(refusal(run_command({"simulate", write(arm("maximal = true")), "--formulation", "redmax"}, folder_)),
                   "with a body that is maximal, found \"redmax\""));
  EXPECT_TRUE(says(refusal(run_command({"simulate", write(arm("maximal = 1"))}, folder_)), "maximal"));
  const std::string fixed =
      write("cardan = 1\n[[body]]\nname = \"a\"\nmass = 1\nmaximal = true\n[body.joint]\ntype = \"fixed\"\n");
  EXPECT_TRUE(says(refusal(run_command({"simulate", fixed}, folder_)), "expected a body that moves on its joint"));
  EXPECT_TRUE(says(refusal(run_command({"compare-formulations", folder_.path("none.toml")}, folder_)), "none.toml"));
}

TEST_F(Formulations, ASingularMechanismIsNamed) {
  const std::string scene =
      write("cardan = 1\n[[body]]\nname = \"spins\"\nmass = 1\n[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\n");
  const Outcome run = run_command({"simulate", scene, "--formulation", "maximal", "--duration", "1"}, folder_);
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(says(run.err, "\"spins\"")) << run.err;
}

}  // namespace
}  // namespace cardan::test
