// The `cardan` command from outside: help, exit codes, what goes where.
#include "tests/apps/run_command.hpp"
#include "tests/io/broken_scenes.hpp"
#include "tests/io/broken_urdfs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace cardan {
namespace {

using test::Outcome;
using test::says;
using test::TemporaryFolder;

const std::string kPendulum = CARDAN_SOURCE_DIR "/examples/double_pendulum.urdf";
const std::string kScene = CARDAN_SOURCE_DIR "/examples/knee.toml";
const std::string kStates = CARDAN_SOURCE_DIR "/examples/double_pendulum_states.json";

class Command : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments) { return test::run_command(arguments, folder); }

  std::string refused(int code, const std::vector<std::string>& arguments) {
    return test::refusal(run(arguments), code);
  }

  TemporaryFolder folder;
};

TEST_F(Command, AlonePrintsItsHelp) {
  const Outcome alone = run({}), asked = run({"--help"});
  EXPECT_EQ(alone.code, 0);
  EXPECT_EQ(asked.code, 0);
  EXPECT_EQ(alone.err, "");
  EXPECT_EQ(alone.out, asked.out);
  for (const char* part : {"Usage: cardan", "info", "eval", "Exit codes"}) EXPECT_TRUE(says(alone.out, part)) << part;
}

TEST_F(Command, EverySubcommandHasHelpWithAnExample) {
  for (const std::string name : {"info", "eval", "compile"}) {
    const Outcome outcome = run({name, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(says(outcome.out, "Usage: cardan " + name)) << outcome.out;
    EXPECT_TRUE(says(outcome.out, "Example:\n  cardan " + name)) << outcome.out;
  }
}

TEST_F(Command, ExamplesInTheHelpRun) {
  for (const std::string name : {"info", "eval", "compile"}) {
    const std::string help = run({name, "--help"}).out;
    const auto begin = help.find("Example:\n") + 9;
    std::string example = help.substr(begin, help.find('\n', begin) - begin);
    example = test::replaced(example, "cardan ", CARDAN_COMMAND " ");
    EXPECT_EQ(std::system(("cd " CARDAN_SOURCE_DIR " && " + example + " >/dev/null").c_str()), 0) << example;
  }
}

TEST_F(Command, Version) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("cardan 0.")) << outcome.out;
}

TEST_F(Command, WrongUsageIsOneLineAndTwo) {
  EXPECT_TRUE(says(refused(2, {"inof", kPendulum}), "unknown subcommand \"inof\": did you mean \"info\"?"));
  EXPECT_TRUE(says(refused(2, {"dance"}), "unknown subcommand \"dance\" (see cardan --help)"));
  EXPECT_TRUE(says(refused(2, {"--loud"}), "--loud"));
  EXPECT_TRUE(says(refused(2, {"info"}), "cardan info: FILE is required"));
  EXPECT_TRUE(says(refused(2, {"info", kPendulum, "another"}), "another"));
  EXPECT_TRUE(says(refused(2, {"info", kPendulum, "--bass", "free"}), "--bass"));
  EXPECT_TRUE(says(refused(2, {"info", kPendulum, "--base"}), "--base"));
  EXPECT_TRUE(says(refused(2, {"info", kPendulum, "--base", "flying"}), "flying"));
  EXPECT_TRUE(says(refused(2, {"eval", kPendulum}), "cardan eval: STATES is required"));
  EXPECT_TRUE(says(refused(2, {"eval", kPendulum, kStates, "--out"}), "--out"));
  EXPECT_TRUE(says(refused(2, {"info", "a\nb", "c\nd"}), "c?d"));
}

TEST_F(Command, BrokenRobotsAreOneLineAndOne) {
  const std::string path = folder.path("broken.urdf");
  for (const test::BrokenUrdf& broken : test::broken_urdfs()) {
    SCOPED_TRACE(broken.what);
    folder.write("broken.urdf", broken.text);
    const std::string line = refused(1, {"info", path, "--strict"});
    EXPECT_TRUE(line.starts_with("urdf: " + path + ":" + std::to_string(broken.line) + ": ")) << line;
    for (const std::string& part : broken.says) EXPECT_TRUE(says(line, part)) << line << "  does not say: " << part;
  }
  EXPECT_TRUE(refused(1, {"eval", path, kStates}).starts_with("urdf: "));
}

TEST_F(Command, BrokenScenesAreOneLineAndOne) {
  const std::string path = folder.path("broken.toml");
  for (const test::BrokenScene& broken : test::broken_scenes()) {
    folder.write("broken.toml", broken.text);
    const std::string line = refused(1, {"info", path});
    EXPECT_TRUE(line.starts_with("scene: " + path + ":" + std::to_string(broken.line) + ":")) << line;
    for (const std::string& part : broken.says) EXPECT_TRUE(says(line, part)) << line << "  does not say: " << part;
  }
  folder.write("broken.toml", "cardan = " + std::string(10'000'000, '['));
  EXPECT_TRUE(says(refused(1, {"info", path}), ":1:8388609: expected at most 8388608 bytes, found more"));
  folder.write("broken.toml", "cardan = " + std::string(8'000'000, '['));
  EXPECT_TRUE(says(refused(1, {"info", path}), "broken.toml:1:"));
}

TEST_F(Command, FilesThatAreNone) {
  EXPECT_TRUE(says(refused(1, {"info", folder.path("none.urdf")}), "none.urdf: expected a file, found none"));
  EXPECT_TRUE(says(refused(1, {"info", folder.path("")}), "found a directory"));
  EXPECT_TRUE(says(refused(1, {"info", ""}), "expected a file"));
  EXPECT_TRUE(says(refused(1, {"info", "a\nb.urdf"}), "a?b.urdf"));
  EXPECT_TRUE(says(refused(1, {"info", "none.toml"}), "scene: none.toml: expected a file, found none"));
  EXPECT_TRUE(
      says(refused(1, {"info", folder.write("r.osim", "")}), "r.osim:1: XML: expected one well-formed element"));
  EXPECT_TRUE(says(refused(1, {"info", folder.write("r.txt", "")}),
                   "ends in .toml (scene), .urdf (robot), .xml (MuJoCo), .sdf (Gazebo) or .osim (OpenSim)"));
  EXPECT_TRUE(says(refused(1, {"info", kScene, "--base", "free"}), "says itself what floats"));
}

TEST_F(Command, InfoForPeople) {
  const Outcome outcome = run({"info", kPendulum});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "double_pendulum: 2 moving bodies, nq = 2, nv = 2, moving mass 1.5 kg, gravity (0, 0, -9.81)\n"
            "\n"
            "  body   parent  joint     type      q  v  limits\n"
            "  upper  world   shoulder  revolute  0  0  -\n"
            "  lower  upper   elbow     revolute  1  1  -2.5 to 2.5 rad\n"
            "\n"
            "  joint     damping [N s/m, N m s/rad]  effort limit [N, N m]  velocity limit [m/s, rad/s]\n"
            "  shoulder  0.01                        -                      -\n"
            "  elbow     0.01                        10                     20\n"
            "  (velocity limits are data alone: nothing holds them; effort limits hold controllers alone)\n"
            "\n"
            "  body   mass [kg]  center of mass [m]  inertia about it [kg m2]: xx yy zz  xy xz yz\n"
            "  upper  1          0 0 -0.3            0.0301 0.0301 0.0002                0 0 0\n"
            "  lower  0.5        0 0 -0.2            0.00672 0.00672 0.0001              0 0 0\n"
            "\n"
            "  frame  on\n"
            "  stand  world\n"
            "  tip    lower\n");
}

TEST_F(Command, InfoOfAScene) {
  const Outcome outcome = run({"info", kScene});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "leg with a moving knee: 3 moving bodies, nq = 6, nv = 6, moving mass 12.5 kg, gravity (0, 0, -9.81)\n"
            "\n"
            "  body   parent  joint  type             q    v    limits\n"
            "  thigh  world   thigh  spherical_euler  0-2  0-2  -\n"
            "  shin   thigh   shin   expression       3    3    0 to 2.4\n"
            "  foot   shin    foot   universal        4-5  4-5  -\n"
            "\n"
            "  joint  damping [N s/m, N m s/rad]\n"
            "  shin   0.5\n"
            "\n"
            "  body   mass [kg]  center of mass [m]  inertia about it [kg m2]: xx yy zz  xy xz yz\n"
            "  thigh  8          0 0 -0.18           0.13 0.13 0.025                     0 0 0\n"
            "  shin   3.5        0 0 -0.19           0.05 0.05 0.005                     0 0 0\n"
            "  foot   1          0.06 0 -0.03        0.001 0.004 0.004                   0 0 0\n");
}

TEST_F(Command, InfoWarnsOfASingularStart) {
  const std::string path = folder.write("s.toml", R"(cardan = 1
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "spherical_euler"
order = "ZXZ"
)");
  const Outcome outcome = run({"info", path});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(
      says(outcome.out, "warnings:\n  initial state: joint \"ball\" (spherical_euler) is singular at q = [0, 0, 0]"))
      << outcome.out;
}

TEST_F(Command, InfoForMachines) {
  const Outcome outcome = run({"info", kPendulum, "--json", "--base", "free"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto info = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(info["name"], "double_pendulum");
  EXPECT_EQ(info["nq"], 9);
  EXPECT_EQ(info["nv"], 8);
  EXPECT_EQ(info["mass"], 1.5);
  ASSERT_EQ(info["joints"].size(), 3u);
  EXPECT_EQ(info["joints"][0]["type"], "free");
  EXPECT_EQ(info["joints"][2]["joint"], "elbow");
  EXPECT_EQ(info["joints"][2]["parent"], "upper");
  EXPECT_EQ(info["joints"][2]["q"], 8);
  EXPECT_EQ(info["joints"][2]["dofs"][0]["lower"], -2.5);
  EXPECT_TRUE(info["joints"][1]["dofs"][0]["lower"].is_null());
  EXPECT_EQ(info["bodies"][2]["center_of_mass"], (std::vector<double>{0.0, 0.0, -0.2}));
  EXPECT_EQ(info["frames"].back()["name"], "tip");
  EXPECT_EQ(info["frames"].back()["body"], "lower");
}

TEST_F(Command, InfoShowsCouplingsAndWarnings) {
  const std::string path = folder.write("r.urdf", R"(<robot name="r"><link name="a"/>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>
      <visual><geometry><mesh filename="package://r/none.stl"/></geometry></visual></link>
    <link name="c"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>
    <joint name="k" type="revolute"><parent link="b"/><child link="c"/><mimic joint="j" multiplier="2" offset="-1"/></joint>
    </robot>)");
  const Outcome outcome = run({"info", path});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.out, "couplings:\n  k = 2*j - 1\n")) << outcome.out;
  for (const char* part : {"warnings:\n", "r.urdf:2: body \"b\"", "triangle inequality", "joint \"k\" moves no mass",
                           "r.urdf:3: link \"b\": mesh: file not found: \"package://r/none.stl\""})
    EXPECT_TRUE(says(outcome.out, part)) << outcome.out << "does not say: " << part;
}

TEST_F(Command, InfoCountsFreedomsAndRedundantConstraints) {
  const auto info = [&](const char* scene) {
    return run({"info", std::string(CARDAN_SOURCE_DIR "/examples/") + scene + ".toml"}).out;
  };
  EXPECT_TRUE(says(info("four_bar"), "1 degree of freedom: 3 velocities less 2 independent constraints"));
  EXPECT_TRUE(says(info("four_bar"), "3 of 5 constraints are redundant"));
  EXPECT_TRUE(says(info("four_bar"), "joint \"rocker\": from [0] to [1.56487]"));
  EXPECT_TRUE(says(info("bricard"), "1 of 5 constraints are redundant"));
  EXPECT_TRUE(says(info("delta_robot"), "3 degrees of freedom: 21 velocities less 18 independent constraints"));
  EXPECT_FALSE(says(info("delta_robot"), "redundant"));
  EXPECT_TRUE(says(info("differential"), "right = 2*cage - left"));
}

}  // namespace
}  // namespace cardan
