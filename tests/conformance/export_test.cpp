// `cardan convert` to robots and MuJoCo models: what was written, read again, has the dynamics of what was read, at
// random states, and what a format cannot say is listed.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/shared_data.hpp"

#include <filesystem>
#include <random>

namespace cardan::test {
namespace {

namespace fs = std::filesystem;

class Export : public SceneRuns {
 protected:
  static constexpr double kRounding = 1e-12;  // of the largest entry

  Json evaluated(const std::string& model, const Json& states) {
    const Json request = {{"quantities", {"mass_matrix", "bias", "gravity", "forward_dynamics"}}, {"states", states}};
    const Outcome done = run({"eval", model, file(request.dump(), "request.json")});
    EXPECT_EQ(done.code, 0) << model << ": " << done.err;
    return done.code == 0 ? Json::parse(done.out) : Json();
  }

  /// Random states of a model; quaternions are of unit length.
  Json random_states(const std::string& model) {
    const Json empty = evaluated(model, Json::array());
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    Json out = Json::array();
    for (int s = 0; s < 3; ++s) {
      std::vector<double> q(empty["nq"].get<std::size_t>()), v(empty["nv"].get<std::size_t>()), tau(v);
      for (auto* all : {&q, &v, &tau})
        for (double& x : *all) x = number(random_);
      for (const Json& joint : empty["layout"]) {
        if (joint["nq"] == joint["nv"]) continue;
        double* const turn = q.data() + joint["q"].get<std::size_t>();
        const double length = std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
        for (int k = 0; k < 4; ++k) turn[k] /= length;
      }
      out.push_back({{"q", q}, {"v", v}, {"tau", tau}});
    }
    return out;
  }

  /// A number without a finite value is null in answers.
  static double number_of(const Json& value) { return value.is_null() ? INFINITY : value.get<double>(); }

  /// The largest difference of a quantity, of its largest entry.
  static double difference(const Json& a, const Json& b) {
    const Json one = a.flatten(), other = b.flatten();
    EXPECT_EQ(one.size(), other.size());
    double most = 0.0, scale = 0.0;
    for (const auto& [key, value] : one.items()) {
      const Json& same = other[key];
      if (value.is_null() && same.is_null()) continue;
      const double x = number_of(value);
      scale = std::max(scale, std::abs(x));
      most = std::max(most, std::abs(x - number_of(same)));
    }
    return most == 0.0 ? 0.0 : most / std::max(scale, 1e-9);
  }

  /// Converts by way of files with these endings, one from the other; returns the last one and what was told.
  std::pair<std::string, std::string> converted(std::string model, const std::vector<std::string>& endings) {
    std::string told;
    for (const std::string& ending : endings) {
      const std::string next = folder_.path("export_" + std::to_string(count_++) + ending);
      const Outcome done = run({"convert", model, next});
      EXPECT_EQ(done.code, 0) << model << ": " << done.err;
      told += done.err;
      model = next;
    }
    return {model, told};
  }

  void expect_same_dynamics(const std::string& a, const std::string& b, const std::vector<const char*>& quantities) {
    const Json states = random_states(a), one = evaluated(a, states), other = evaluated(b, states);
    ASSERT_EQ(one["nv"], other["nv"]) << b;
    for (std::size_t s = 0; s < states.size(); ++s)
      for (const char* quantity : quantities)
        EXPECT_LT(difference(one["results"][s][quantity], other["results"][s][quantity]), kRounding)
            << a << " " << quantity;
  }

  std::mt19937 random_{7};
  int count_ = 0;
};

const std::vector<const char*> kTree{"mass_matrix", "bias", "gravity"};
const std::vector<const char*> kAll{"mass_matrix", "bias", "gravity", "forward_dynamics"};

TEST_F(Export, RobotsKeepTheirDynamics) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "robots";
  if (!fs::exists(folder)) GTEST_SKIP() << "no robots in " << folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    const std::string robot = entry.path().string();
    // a mimic of a robot is a coupling of a scene, which forward dynamics obeys there
    const auto& quantities = entry.path().stem() == "panda" ? kTree : kAll;
    for (const std::vector<std::string>& way :
         {std::vector<std::string>{".toml", ".urdf"}, {".urdf"}, {".xml"}, {".xml", ".urdf", ".xml", ".toml"}})
      expect_same_dynamics(robot, converted(robot, way).first, quantities);
  }
}

TEST_F(Export, MujocoModelsKeepTheirDynamics) {
  const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "mjcf";
  if (!fs::exists(folder)) GTEST_SKIP() << "no models in " << folder;
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string model = entry.path().string();
    if (entry.path().extension() != ".xml" || run({"info", model}).code != 0) continue;
    if (file_contents(model).find("<mujocoinclude") != std::string::npos) continue;
    expect_same_dynamics(model, converted(model, {".xml"}).first, kAll);
    ++count;
  }
  EXPECT_GE(count, 36);
}

/// Universal, cylindrical, planar, translational, Euler angles, a composite; a body whose frame is off its axis.
constexpr const char* kFreedoms = R"(cardan = 1
name = "freedoms"
gravity = [1, 2, -9]
[[body]]
name = "a"
mass = 1
com = [0.1, 0, 0.2]
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "universal", at = { xyz = [0, 0, 1], rpy = [0.3, 0.2, 0.1] } }
[[body]]
name = "b"
parent = "a"
mass = 2
com = [0.1, 0.3, 0.2]
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "cylindrical", at = { xyz = [0, 0.5, 0], rpy = [0, 1.5707963267948966, 0.4] } }
[[body]]
name = "c"
parent = "b"
mass = 1.5
com = [0.1, 0.3, -0.2]
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "spherical_euler", order = "ZYX", at = { xyz = [0.1, 0, 0], rpy = [0, -1.57079632, 2] } }
[[body]]
name = "d"
parent = "a"
mass = 1.5
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "free_planar", at = { rpy = [1, 0, 0] } }
[[body]]
name = "e"
parent = "d"
mass = 0.5
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "composite", joints = [{ type = "prismatic", axis = [0, 1, 0] }, { type = "revolute", axis = [1, 0, 0] }] }
[[body]]
name = "f"
parent = "d"
mass = 0.5
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
joint = { type = "translational" }
)";

TEST_F(Export, JointsOfSeveralFreedomsBecomeSeveral) {
  const std::string scene = file(kFreedoms, "freedoms.toml");
  expect_same_dynamics(scene, converted(scene, {".xml"}).first, kAll);
  const auto [robot, told] = converted(scene, {".urdf"});
  EXPECT_TRUE(says(told, "convert: not written: gravity other than (0, 0, -9.81)")) << told;
  expect_same_dynamics(scene, robot, {"mass_matrix"});
  EXPECT_TRUE(says(run({"info", robot}).out, "c.2"));
}

TEST_F(Export, PropertiesOfJointsComeBack) {
  const std::string scene = file(kRod + R"(limits = [[-1, 2]]
damping = 0.5
stiffness = 3
rest = 0.1
armature = 0.25
friction = 0.125
effort_limit = 40
[[body.shape]]
box = [0.1, 0.2, 1]
color = "#336699"
)");
  const auto [model, told] = converted(scene, {".xml", ".toml"});
  const std::string text = file_contents(model);
  for (const char* key : {"limits = [[-1, 2]]", "damping = 0.5", "stiffness = 3", "rest = 0.1", "armature = 0.25",
                          "friction = 0.125", "effort_limit = 40", "box = [0.1, 0.2, 1]", "color = \"#336699\""})
    EXPECT_TRUE(says(text, key)) << key << "\n" << text;
  EXPECT_TRUE(says(told, "not written: the initial state")) << told;
  const std::string lost = converted(scene, {".urdf"}).second;
  EXPECT_TRUE(says(lost, "not written: stiffness of joints \"rod\"")) << lost;
  EXPECT_TRUE(says(lost, "not written: armature of joints \"rod\"")) << lost;
}

TEST_F(Export, WhatCannotBeSaidIsNamed) {
  const std::string cam = kExamplesOfScenes + "four_bar.toml";
  const std::string told = converted(cam, {".urdf"}).second;
  EXPECT_TRUE(says(told, "not written: loop ")) << told;
  EXPECT_TRUE(says(refusal(run({"convert", cam, "--strict", folder_.path("four_bar.urdf")})), "not written: loop "));
  EXPECT_FALSE(fs::exists(folder_.path("four_bar.urdf")));
  const std::string ball = file("cardan = 1\n[[body]]\nname = \"ball\"\nmass = 1\njoint = { type = \"spherical\" }\n");
  EXPECT_TRUE(says(refusal(run({"convert", ball, folder_.path("ball.urdf")})), "joint \"ball\": expected joints that"));
  const std::string screw = file(
      "cardan = 1\n[[body]]\nname = \"nut\"\nmass = 1\njoint = { type = \"helical\", "
      "pitch = 0.1 }\n");
  EXPECT_TRUE(says(refusal(run({"convert", screw, folder_.path("nut.xml")})), "found type helical"));
}

}  // namespace
}  // namespace cardan::test
