// Robots of a scene that are changed by name, against robots whose file says the same.
#include "tests/apps/scene_runs.hpp"

#include <fmt/format.h>

namespace cardan {
namespace {

using test::Json;
using test::Outcome;

/// What may be changed of the second link and its joint.
struct Elbow {
  double damping = 0.1, friction = 0.0, lower = -2.0, upper = 2.0, effort = 10.0, velocity = 20.0, mass = 0.5;
  std::string color = "0.2 0.4 0.6 1";
};

std::string arm(const Elbow& elbow) {
  constexpr double kMoment = 0.04, kAxial = 0.002;  // of 1 kg, about the center of mass
  return fmt::format(R"(<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/>
 <inertia ixx="0.03" iyy="0.03" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<link name="elbow"><inertial><origin xyz="0 0 -0.2"/><mass value="{mass}"/>
 <inertia ixx="{about}" iyy="{about}" izz="{along}" ixy="0" ixz="0" iyz="0"/></inertial>
 <visual><geometry><sphere radius="0.1"/></geometry><material name="m"><color rgba="{color}"/></material></visual></link>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="elbow"/><origin xyz="0 0 -0.6"/>
 <axis xyz="0 1 0"/><limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="{velocity}"/>
 <dynamics damping="{damping}" friction="{friction}"/></joint>
<link name="tip"/><joint name="tip_joint" type="fixed"><parent link="elbow"/><child link="tip"/></joint></robot>)",
                     fmt::arg("mass", elbow.mass), fmt::arg("about", kMoment * elbow.mass),
                     fmt::arg("along", kAxial * elbow.mass), fmt::arg("color", elbow.color),
                     fmt::arg("lower", elbow.lower), fmt::arg("upper", elbow.upper), fmt::arg("effort", elbow.effort),
                     fmt::arg("velocity", elbow.velocity), fmt::arg("damping", elbow.damping),
                     fmt::arg("friction", elbow.friction));
}

const std::string kArmScene = R"(cardan = 1
name = "arm"
[initial]
q = { "r/shoulder" = 1.2, "r/elbow" = -0.4 }
[[robot]]
file = "arm.urdf"
name = "r"
)";
/// A joint and a link of one name: the keys say which is meant.
const std::string kArmSet = R"([robot.set.elbow]
damping = 0.3
friction = 0.05
limits = [[-0.5, 0.5]]
effort_limit = 7
velocity_limit = "2*1.5"
mass = 2
color = "#ff8000"
)";
const Elbow kArmChanged{0.3, 0.05, -0.5, 0.5, 7.0, 3.0, 2.0, "1 0.50196 0 1"};

class RobotChanges : public test::SceneRuns {
 protected:
  void SetUp() override { file(arm({}), "arm.urdf"); }
  Json described(const std::string& scene, const std::vector<std::string>& changes = {}) const {
    std::vector<std::string> arguments{"info", file(scene), "--json"};
    for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(RobotChanges, AreThoseOfAFileThatSaysTheSame) {
  const Json before = described(kArmScene), by_scene = described(kArmScene + kArmSet);
  const CsvTable run_by_scene = motion(kArmScene + kArmSet, {"--duration", "1"});
  const std::vector<std::string> changes{"robot.r.set.elbow.damping=0.3",         "robot.r.set.elbow.friction=0.05",
                                         "robot.r.set.elbow.limits=[[-0.5,0.5]]", "robot.r.set.elbow.effort_limit=7",
                                         "robot.r.set.elbow.velocity_limit=3",    "robot.r.set.elbow.mass=2",
                                         "robot.r.set.elbow.color='#ff8000'"};
  const Json by_option = described(kArmScene, changes);
  file(arm(kArmChanged), "arm.urdf");
  const Json by_file = described(kArmScene);
  EXPECT_EQ(by_scene, by_file);
  EXPECT_EQ(by_option, by_file);
  EXPECT_NE(before.at("joints"), by_file.at("joints"));
  EXPECT_NE(before.at("bodies"), by_file.at("bodies"));
  const CsvTable run_by_file = motion(kArmScene, {"--duration", "1"});
  EXPECT_EQ(run_by_scene.rows, run_by_file.rows);
}

/// Armature adds to the diagonal of the mass matrix; URDF has no word for it.
TEST_F(RobotChanges, ArmatureIsInTheMassMatrix) {
  const std::string states = file(R"({"quantities": ["mass_matrix"], "states": [{"q": [0.3, 0.7]}]})", "states.json");
  const auto mass_matrix = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"eval", file(kArmScene), states};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Json::parse(run(arguments).out).at("results").at(0).at("mass_matrix");
  };
  const Json H = mass_matrix({}), with = mass_matrix({"--set", "robot.0.set.shoulder.armature=0.25"});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_NEAR(with[i][j].get<double>() - H[i][j].get<double>(), i + j == 0 ? 0.25 : 0.0, 1e-12);
}

/// What is written as another robot or scene has the changes.
TEST_F(RobotChanges, AreWritten) {
  const std::string robot = folder_.path("out.urdf"), copy = folder_.path("copy.toml");
  EXPECT_EQ(run({"convert", file(kArmScene + kArmSet), robot}).code, 0);
  const std::string text = test::file_contents(robot);
  EXPECT_TRUE(test::says(text, "lower=\"-0.5\"")) << text;
  EXPECT_TRUE(test::says(text, "<mass value=\"2\"")) << text;
  EXPECT_TRUE(test::says(text, "<color rgba=\"1 0.50196")) << text;
  ASSERT_EQ(run({"convert", file(kArmScene + kArmSet), copy}).code, 0);
  EXPECT_EQ(Json::parse(run({"info", copy, "--json"}).out), described(kArmScene + kArmSet));
}

TEST_F(RobotChanges, AreSweptByTheirPaths) {
  const std::string path = "robot.r.set.elbow.damping";
  const Outcome sweep = run({"sweep", file(kArmScene), "--vary", path + "=0:1:3", "--duration", "0.2", "--trajectories",
                             "--out", folder_.path("sweep")});
  ASSERT_EQ(sweep.code, 0) << sweep.err;
  const auto elbow = [](const CsvTable& run) { return run.rows.back()[run.find("q.r/elbow")]; };
  const double expected = elbow(motion(kArmScene, {"--duration", "0.2", "--set", path + "=0.5"}));
  EXPECT_GT(elbow(load_csv(folder_.path("sweep/runs/0.csv"))), expected + 0.01);
  EXPECT_NEAR(elbow(load_csv(folder_.path("sweep/runs/1.csv"))), expected, 1e-9);
  EXPECT_LT(elbow(load_csv(folder_.path("sweep/runs/2.csv"))), expected - 0.01);
}

TEST_F(RobotChanges, MistakesAreOneLine) {
  const auto complaint = [&](const std::string& text) { return refusal(run({"info", file(kArmScene + text)})); };
  const auto expect = [&](const std::string& text, const std::string& what) {
    const std::string told = complaint(text);
    EXPECT_TRUE(test::says(told, "scene.toml:")) << told;
    EXPECT_TRUE(test::says(told, ": robot \"r\": set: ")) << told;
    EXPECT_TRUE(test::says(told, what)) << told;
  };
  expect("[robot.set.elbw]\ndamping = 1\n",
         ":8:12: robot \"r\": set: expected a joint or a link of the robot by its "
         "name in the file, found \"elbw\": did you mean \"elbow\"?");
  expect("[robot.set.\"r/shoulder\"]\ndamping = 1\n", "found \"r/shoulder\": did you mean \"shoulder\"?");
  expect("[robot.set.shoulder]\ndampng = 1\n",
         ":9:1: robot \"r\": set: shoulder: unknown key \"dampng\": did you mean");
  expect("[robot.set.shoulder]\ndamping = -1\n", "damping: expected a number that is not negative, found -1");
  expect("[robot.set.shoulder]\nlimits = [[2, 1]]\n", "expected the lower limit first, found 2 and 1");
  expect("[robot.set.shoulder]\nmass = 1\n",
         "expected a link for \"mass\", found the joint \"shoulder\", which moves the link \"upper\"");
  expect("[robot.set.shoulder]\ndamping = \"1 N s/m\"\n",
         "shoulder: damping: expected a number or a quantity in N m s/rad, found \"1 N s/m\"");
  expect("[robot.set.upper]\nfriction = 1\n",
         "expected a joint for \"friction\", found the link \"upper\", which the joint \"shoulder\" moves");
  expect("[robot.set.upper]\nmass = -1\n", "mass: expected a mass that is not negative, found -1");
  expect("[robot.set.upper]\ncolor = \"#aabbcc\"\n", "color: expected a link with shapes, found one without");
  expect("[robot.set.elbow]\ncolor = \"red\"\n", "color: expected a color such as");
  expect("[robot.set.tip_joint]\ndamping = 1\n",
         "expected a joint that moves for \"damping\", found \"tip_joint\", which is fixed");
  const std::string path = refusal(run({"info", file(kArmScene), "--set", "robot.r.stt.elbow.damping=1"}));
  EXPECT_TRUE(test::says(path, "found \"stt\" where there is none: did you mean \"set\"?")) << path;
}

/// A robot alone has no paths; it is said where it has.
TEST_F(RobotChanges, ARobotAloneIsNotChanged) {
  const std::string told = refusal(run({"info", folder_.path("arm.urdf"), "--set", "elbow.damping=1"}));
  EXPECT_TRUE(test::says(told, "arm.urdf: expected a scene for --set, found a robot")) << told;
  EXPECT_TRUE(test::says(told, "a scene with [[robot]] changes it by name")) << told;
}

/// Only what some joint has is a column, and only joints that have something are a row.
TEST_F(RobotChanges, InfoShowsWhatJointsCarry) {
  const std::string plain = run({"info", file(kArmScene)}).out;
  for (const char* shown : {"damping [N s/m, N m s/rad]", "effort limit [N, N m]", "velocity limit [m/s, rad/s]",
                            "\n  r/elbow  0.1                         10                     20\n"})
    EXPECT_TRUE(test::says(plain, shown)) << shown << "\n" << plain;
  for (const char* hidden : {"armature", "friction [", "stiffness", "\n  r/shoulder"})
    EXPECT_FALSE(test::says(plain, hidden)) << hidden << "\n" << plain;
  const std::string changed =
      run({"info", file(kArmScene + kArmSet), "--set", "robot.r.set.shoulder.armature=0.125"}).out;
  EXPECT_TRUE(test::says(changed, "\n  r/shoulder  -                  -                           0.125")) << changed;
  EXPECT_TRUE(test::says(changed, "\n  r/elbow     0.05               0.3 ")) << changed;
  EXPECT_FALSE(test::says(run({"info", file(test::kRod)}).out, "damping")) << "nothing to list";
}

}  // namespace
}  // namespace cardan
