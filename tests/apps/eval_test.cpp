// `cardan eval` from outside: numbers by hand, refusals, files.
#include "tests/apps/run_command.hpp"
#include "tests/io/broken_requests.hpp"
#include "tests/io/broken_urdfs.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace cardan {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::says;
using test::TemporaryFolder;

class Eval : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "eval");
    return test::run_command(arguments, folder);
  }
  Json results(const std::string& urdf, const std::string& request, const std::string& base = "fixed") {
    const Outcome outcome = run({folder.write("r.urdf", urdf), folder.write("s.json", request), "--base", base});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
  }
  std::string refused(const std::vector<std::string>& arguments) { return test::refusal(run(arguments)); }
  int files() const {
    int n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path(""))) ++n;
    return n;
  }

  TemporaryFolder folder;
};

void expect_near(const Json& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size()) << found;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i].get<double>(), expected[i], 1e-14) << i;
}

/// A rod of mass m that turns about y at the origin, its center of mass at distance l below, moment J about it.
constexpr double m = 2.0, l = 0.5, J = 0.1, g = 9.81;
const std::string kRod = R"(<robot name="rod"><link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
  <link name="end"/>
  <joint name="end_joint" type="fixed"><parent link="rod"/><child link="end"/><origin xyz="0 0 -1"/></joint>
</robot>)";

TEST_F(Eval, PendulumByHand) {
  const Json out =
      results(kRod, R"({"quantities": ["inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity",
    "energy", "center_of_mass", "momentum", "pose", "velocity", "acceleration", "jacobian"], "frame": "end",
    "states": [{"q": [0.4], "v": [1.5], "a": [-2], "tau": [3]}]})");
  const double s = std::sin(0.4), c = std::cos(0.4), inertia = J + m * l * l, weight = m * g * l * s;
  EXPECT_EQ(out["nq"], 1);
  EXPECT_EQ(out["nv"], 1);
  EXPECT_EQ(out["layout"],
            Json::parse(R"([{"joint": "pivot", "type": "revolute", "q": 0, "nq": 1, "v": 0, "nv": 1}])"));
  ASSERT_EQ(out["results"].size(), 1u);
  const Json& r = out["results"][0];
  expect_near(r["inverse_dynamics"], {-2.0 * inertia + weight});
  expect_near(r["forward_dynamics"], {(3.0 - weight) / inertia});
  expect_near(r["mass_matrix"][0], {inertia});
  expect_near(r["bias"], {weight});
  expect_near(r["gravity"], {weight});
  EXPECT_NEAR(r["energy"]["kinetic"].get<double>(), 0.5 * inertia * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(r["energy"]["potential"].get<double>(), -m * g * l * c, 1e-14);
  expect_near(r["center_of_mass"], {-l * s, 0.0, -l * c});
  expect_near(r["momentum"], {0.0, J * 1.5, 0.0, -m * l * c * 1.5, 0.0, m * l * s * 1.5});
  expect_near(r["pose"]["p"], {-s, 0.0, -c});
  expect_near(r["pose"]["R"][0], {c, 0.0, s});
  expect_near(r["pose"]["R"][2], {-s, 0.0, c});
  expect_near(r["velocity"], {0.0, 1.5, 0.0, -1.5, 0.0, 0.0});
  // spatial acceleration: classical (tangential -a, centripetal v^2 upward) less omega x v
  expect_near(r["acceleration"], {0.0, -2.0, 0.0, 2.0, 0.0, 0.0});
  ASSERT_EQ(r["jacobian"].size(), 6u);
  expect_near(r["jacobian"][1], {1.0});
  expect_near(r["jacobian"][3], {-1.0});
}

TEST_F(Eval, FreeBodyByHand) {
  const Json out = results(R"(<robot name="ball"><link name="ball"><inertial><mass value="2"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)",
                           R"({"quantities": ["bias", "forward_dynamics", "energy"], "states": [
      {"q": [1, 0, 0, 0, 0, 0, 3], "v": [1, 2, 3, 0, 0, 0], "tau": [0, 0, 0, 0, 0, 19.62]}]})",
                           "free");
  EXPECT_EQ(
      out["layout"][0],
      Json::parse(
          R"({"joint": "root_joint", "type": "free", "q": 0, "nq": 7, "v": 0, "nv": 6, "coordinates": ["wx", "wy", "wz", "vx", "vy", "vz"]})"));
  const Json& r = out["results"][0];
  // Euler: omega x I omega, and the weight to be held
  expect_near(r["bias"], {2 * 2.5 * 3 - 3 * 2 * 2, 3 * 1 - 1 * 2.5 * 3, 1 * 2 * 2 - 2 * 1, 0.0, 0.0, 2 * g});
  expect_near(r["forward_dynamics"], {-3.0, 4.5 / 2, -2.0 / 2.5, 0.0, 0.0, 0.0});
  EXPECT_NEAR(r["energy"]["kinetic"].get<double>(), 0.5 * (1 + 2 * 4 + 2.5 * 9), 1e-14);
  EXPECT_NEAR(r["energy"]["potential"].get<double>(), 2 * g * 3, 1e-13);
}

TEST_F(Eval, NumbersHaveSeventeenDigits) {
  const Outcome outcome = run({folder.write("r.urdf", kRod),
                               folder.write("s.json", R"({"quantities": ["gravity"], "states": [{"q": [0.1]}]})")});
  EXPECT_TRUE(says(outcome.out, "\"gravity\": [0.97936")) << outcome.out;
  const auto begin = outcome.out.find("0.97936"), end = outcome.out.find(']', begin);
  EXPECT_GE(end - begin, 18u) << outcome.out;
}

TEST_F(Eval, NoStatesNoMovingBodies) {
  EXPECT_EQ(results(kRod, R"({"quantities": ["bias"], "states": []})")["results"], Json::array());
  const Json out = results(
      R"(<robot name="stone"><link name="stone"/></robot>)",
      R"({"quantities": ["bias", "mass_matrix", "pose", "energy", "jacobian"], "frame": "stone", "states": [{}]})");
  EXPECT_EQ(out["nv"], 0);
  EXPECT_EQ(out["layout"], Json::array());
  EXPECT_EQ(out["results"][0]["bias"], Json::array());
  EXPECT_EQ(out["results"][0]["mass_matrix"], Json::array());
  EXPECT_EQ(out["results"][0]["jacobian"].size(), 6u);
}

TEST_F(Eval, BrokenRequestsAreOneLineAndOne) {
  const std::string urdf = folder.write("ball.urdf", test::kRequestUrdf);
  const auto all = test::broken_requests();
  EXPECT_GE(all.size(), 20u);
  for (const auto& broken : all) {
    SCOPED_TRACE(broken.by);
    const std::string states = folder.write("s.json", test::replaced(test::kRequest, broken.part, broken.by));
    const std::string line = refused({urdf, states, "--base", "free"});
    EXPECT_TRUE(line.starts_with("eval: " + states + ":")) << line;
    for (const std::string& part : broken.says) EXPECT_TRUE(says(line, part)) << line << "  does not say: " << part;
  }
  EXPECT_TRUE(says(refused({urdf, folder.path("none.json")}), "none.json: expected a file, found none"));
}

TEST_F(Eval, SingularMassMatrixIsNamed) {
  const std::string urdf = folder.write("r.urdf", R"(<robot name="r"><link name="a"/><link name="b"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>)");
  const std::string line =
      refused({urdf, folder.write("s.json", R"({"quantities": ["bias", "forward_dynamics"], "states": [
    {"q": [0], "v": [0], "tau": [1]}]})")});
  EXPECT_TRUE(says(line, "state 0: joint \"j\"")) << line;
  EXPECT_TRUE(says(line, "mass matrix is singular")) << line;
  EXPECT_TRUE(
      says(refused({urdf, folder.write("s.json", R"({"quantities": ["center_of_mass"], "states": [{"q": [0]}]})")}),
           "no moving mass"));
}

/// A bead on a straight wire that falls along it, written as a scene; the state is the scene's own.
TEST_F(Eval, SceneByHand) {
  const std::string scene = folder.write("wire.toml", R"(cardan = 1
[[body]]
name = "bead"
mass = 2
[body.joint]
type = "on_curve"
curve = { coordinate = "s", point = ["3*s", "0", "-4*s"] }
q = [0.5]
v = [0.1]
)");
  const Outcome outcome = run({scene, folder.write("s.json", R"({"quantities": ["forward_dynamics", "energy", "pose"],
    "frame": "bead", "states": [{"tau": [0]}, {"q": [1], "tau": [10]}]})")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json out = Json::parse(outcome.out);
  EXPECT_EQ(
      out["layout"][0],
      Json::parse(R"({"joint": "bead", "type": "on_curve", "q": 0, "nq": 1, "v": 0, "nv": 1, "coordinates": ["s"]})"));
  const Json &first = out["results"][0], &second = out["results"][1];
  expect_near(first["forward_dynamics"], {4 * g / 25});  // 25 m s'' = 4 m g
  EXPECT_NEAR(first["energy"]["kinetic"].get<double>(), 0.5 * 2 * 25 * 0.01, 1e-15);
  EXPECT_NEAR(first["energy"]["potential"].get<double>(), -2 * g * 2, 1e-13);
  expect_near(first["pose"]["p"], {1.5, 0.0, -2.0});
  expect_near(second["forward_dynamics"], {(10 + 8 * g) / 50});
}

TEST_F(Eval, SingularStatesAreNamed) {
  const auto line = [&](const std::string& joint, const std::string& request) {
    const std::string scene = folder.write(
        "s.toml", "cardan = 1\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\n" + joint);
    return refused({scene, folder.write("s.json", request)});
  };
  const std::string states = folder.path("s.json");
  // the zero tangent of a curve: nothing is defined
  EXPECT_EQ(line("type = \"on_curve\"\ncurve = { bezier = [[0, 0, 0], [0, 0, 0], [1, 0, 0]] }",
                 R"({"quantities": ["gravity"], "states": [{"q": [0.5]}, {"q": [0]}]})"),
            "eval: " + states +
                ": state 1: joint \"b\" (on_curve) is singular at q = [0]: its pose or a derivative of it "
                "is not defined there\n");
  // the pole of a sphere: u and the spin turn the body alike
  EXPECT_TRUE(says(line("type = \"on_surface\"\nsurface = { sphere = 1 }\nspin = \"free\"",
                        R"({"quantities": ["forward_dynamics"],
                            "states": [{"q": [0.1, 1.5707963267948966, 0.2], "v": [0, 0, 0], "tau": [0, 0, 0]}]})"),
                   "state 0: joint \"b\" (on_surface) is singular at q = [0.1, 1.57079633, 0.2]: some of its "
                   "coordinates move the body alike"));
  // gimbal lock
  EXPECT_TRUE(says(line("type = \"spherical_euler\"\norder = \"XYZ\"", R"({"quantities": ["bias", "forward_dynamics"],
                            "states": [{"q": [0, 1.5707963267948966, 0], "v": [1, 0, 0], "tau": [0, 0, 0]}]})"),
                   "(spherical_euler) is singular"));
}

/// Gimbal lock spoils the accelerations only; forces that a motion takes are defined all the same.
TEST_F(Eval, InverseDynamicsInGimbalLock) {
  const std::string scene = folder.write("s.toml", R"(cardan = 1
[[body]]
name = "b"
mass = 1
inertia = [1, 2, 2.5, 0, 0, 0]
[body.joint]
type = "spherical_euler"
order = "XYZ"
)");
  const Outcome outcome = run({scene, folder.write("s.json", R"({"quantities": ["inverse_dynamics", "mass_matrix"],
    "states": [{"q": [0, 1.5707963267948966, 0], "v": [0, 0, 0], "a": [1, 0, 0]}]})")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // about x after a quarter turn about y is about the body's z
  expect_near(Json::parse(outcome.out)["results"][0]["inverse_dynamics"], {2.5, 0.0, 2.5});
}

TEST_F(Eval, OutIsWrittenWhole) {
  const std::string urdf = folder.write("r.urdf", kRod), out = folder.path("out.json");
  const std::string states = folder.write("s.json", R"({"quantities": ["gravity"], "states": [{"q": [0.1]}]})");
  const Outcome outcome = run({urdf, states, "--out", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(test::file_contents(out), run({urdf, states}).out);
  const int before = files();
  // a failed run leaves what was there
  const std::string broken =
      folder.write("s.json", R"({"quantities": ["gravity"], "states": [{"q": [0.1]}, {"q": []}]})");
  const std::string kept = test::file_contents(out);
  refused({urdf, broken, "--out", out});
  EXPECT_EQ(test::file_contents(out), kept);
  EXPECT_EQ(files(), before);
}

TEST_F(Eval, OutThatCannotBeWritten) {
  const std::string urdf = folder.write("r.urdf", kRod);
  const std::string states = folder.write("s.json", R"({"quantities": ["gravity"], "states": [{"q": [0.1]}]})");
  EXPECT_TRUE(says(refused({urdf, states, "--out", folder.path("no/such/folder/out.json")}), "cannot be written"));
  EXPECT_TRUE(says(refused({urdf, states, "--out", folder.path("")}), "cannot be written"));
  EXPECT_TRUE(says(refused({urdf, states, "--out", "/dev/full"}), "cannot be written"));
  EXPECT_EQ(run({urdf, states, "--out", "/dev/null"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// The reference's four-bar linkage at its start: what the pin between coupler and rocker carries.
TEST_F(Eval, ConstrainedAccelerationsAndForces) {
  constexpr const char* kFile = "golden/closed_loop.json";
  const auto file = test::shared_json(kFile);
  if (!file) GTEST_SKIP() << test::missing_data(kFile);
  const Json& row = file->at("four_bar").at("trajectory")[0];
  const std::string request = folder.write("s.json", R"({"quantities": ["forward_dynamics", "constraint_forces",
    "constraint_error"], "states": [{"tau": [0, 0, 0]}]})");
  const Outcome outcome = run({CARDAN_SOURCE_DIR "/examples/four_bar.toml", request});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out).at("results")[0];
  EXPECT_NEAR(result.at("forward_dynamics")[0].get<double>(), row.at("theta_ddot").get<double>(), 1e-9);
  const Json& pin = result.at("constraint_forces")[0];
  EXPECT_EQ(pin.at("constraint"), "loop \"pin\"");
  const double x = pin.at("force")[0], y = pin.at("force")[1], angle = row.at("rocker_angle");  // in the rocker's axes
  const Json& expected = row.at("force_B_on_rocker_from_coupler");
  EXPECT_NEAR(x * std::cos(angle) - y * std::sin(angle), expected[0].get<double>(), 1e-9);
  EXPECT_NEAR(x * std::sin(angle) + y * std::cos(angle), expected[1].get<double>(), 1e-9);
  ASSERT_EQ(result.at("constraint_error").size(), 5u);
  for (const Json& error : result.at("constraint_error")) EXPECT_NEAR(error.get<double>(), 0.0, 1e-11);
}

/// A robot's mimic joints hold where a scene has it, and are data where the robot stands alone.
TEST_F(Eval, MimicsHoldInScenes) {
  const std::string urdf = R"(<robot name="r"><link name="base"/>
    <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="2" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="ja" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
    <joint name="jb" type="continuous"><parent link="base"/><child link="b"/><axis xyz="0 0 1"/>
      <mimic joint="ja" multiplier="-2"/></joint></robot>)";
  const std::string request =
      R"({"quantities": ["forward_dynamics"], "states": [{"q": [0, 0], "v": [0, 0], "tau": [7, 0]}]})";
  expect_near(results(urdf, request).at("results")[0].at("forward_dynamics"), {3.5, 0.0});
  const std::string scene = folder.write("s.toml", "cardan = 1\n[[robot]]\nfile = \"r.urdf\"\n");
  const Outcome outcome = run({scene, folder.path("s.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // 2 a + 3 (-2)^2 a = 7
  expect_near(Json::parse(outcome.out).at("results")[0].at("forward_dynamics"), {0.5, -1.0});
}

constexpr const char* kBoxOverGround = R"toml(cardan = 1
[ground]
height = -1.0
friction = 0.5
[[body]]
name = "box"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "free"
[[body.shape]]
sphere = 0.1
collide = false
[[body.shape]]
box = [1, 1, 1]
group = "boxes"
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
at = { xyz = [3, 0, 0] }
[[body.shape]]
sphere = 0.5
)toml";

TEST_F(Eval, DistancesAndCollisionsOfAScene) {
  const std::string request = folder.write("s.json", R"({"quantities": ["distances", "collisions"], "states":
    [{}, {"q": [1, 0, 0, 0, 0, 0, -0.6, 0]}]})");
  const Outcome outcome = run({folder.write("s.toml", kBoxOverGround), request});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json results = Json::parse(outcome.out)["results"];
  const Json first = results[0]["distances"];
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0]["a"], "box");
  EXPECT_EQ(first[0]["b"], "ball");
  EXPECT_EQ(first[0]["shape_a"], 1);  // as the file counts
  EXPECT_NEAR(first[0]["gap"].get<double>(), 2.0, 1e-14);
  EXPECT_NEAR(first[0]["normal"][0].get<double>(), 1.0, 1e-14);
  EXPECT_NEAR(first[0]["point_b"][0].get<double>(), 2.5, 1e-14);
  EXPECT_EQ(first[1]["a"], "box");
  EXPECT_EQ(first[1]["b"], "ground");
  EXPECT_NEAR(first[1]["gap"].get<double>(), 0.5, 1e-14);
  EXPECT_EQ(results[0]["collisions"].size(), 0u);
  ASSERT_EQ(results[1]["collisions"].size(), 1u);
  EXPECT_NEAR(results[1]["collisions"][0]["gap"].get<double>(), -0.1, 1e-14);
  EXPECT_NEAR(results[1]["collisions"][0]["normal"][2].get<double>(), -1.0, 1e-14);
}

TEST_F(Eval, WhatTouchesNothingFalls) {
  const Outcome outcome = run({folder.write("s.toml", kBoxOverGround),
                               folder.write("s.json", R"({"quantities": ["forward_dynamics"], "states": [{}]})")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_near(Json::parse(outcome.out)["results"][0]["forward_dynamics"], {0, 0, 0, 0, 0, -g, 0});
}

TEST_F(Eval, PairsOfMeshesAreRefusedWithAWayOut) {
  folder.write("cup.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
  std::string scene = "cardan = 1\n";
  for (const char* name : {"a", "b"})
    scene += std::string("[[body]]\nname = \"") + name +
             "\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"free\"\n[[body.shape]]\nmesh = "
             "\"cup.obj\"\n";
  const std::string request = folder.write("s.json", R"({"quantities": ["distances"], "states": [{}]})");
  EXPECT_TRUE(says(refused({folder.write("s.toml", scene), request}), "hull = true"));
  for (std::size_t at = 0; (at = scene.find(".obj\"\n", at)) != std::string::npos; at += 6)
    scene.insert(at + 6, "hull = true\n");
  const Outcome outcome = run({folder.write("s.toml", scene), request});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace cardan
