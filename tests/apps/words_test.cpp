// What runs and `cardan info` say, where another word would mislead.
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

using test::Json;
using test::Outcome;
using test::says;

class Words : public test::SceneRuns {};

/// A four-bar linkage whose crank is driven to where it locks; bars 0.8, 0.5, 0.6 on a base of 1: it locks where
/// coupler and rocker are in line, 0.8^2 + 1 - 1.6 cos(a) = 1.1^2, so t = (a - 0.6)/0.5.
TEST_F(Words, TheLockIsNamedByEveryFormulation) {
  std::string scene = "cardan = 1\ngravity = [0, -9.81, 0]\n";
  const auto bar = [](const char* name, const char* parent, double x, double q, double com) {
    return std::string("[[body]]\nname = \"") + name + "\"\nparent = \"" + parent + "\"\nmass = 1\ncom = [" +
           std::to_string(com) +
           ", 0, 0]\ninertia = [0.001, 0.02, 0.02, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\nat = "
           "{ xyz = [" +
           std::to_string(x) + ", 0, 0] }\nq = [" + std::to_string(q) + "]\n";
  };
  scene += bar("crank", "world", 0.0, 0.6, 0.4) + bar("coupler", "crank", 0.8, -0.335, 0.25) +
           bar("rocker", "world", 1.0, 1.33, 0.3);
  scene +=
      "[[loop]]\nname = \"knuckle\"\na = \"coupler\"\nb = \"rocker\"\ntype = \"revolute\"\nat_a = { xyz = [0.5, 0, 0] "
      "}\nat_b = { xyz = [0.6, 0, 0] }\n[[motion]]\njoint = \"crank\"\nposition = \"0.6 + 0.5*t\"\n";
  const double locks = (std::acos((0.64 + 1.0 - 1.21) / 1.6) - 0.6) / 0.5;
  for (const std::vector<std::string>& way :
       {std::vector<std::string>{}, std::vector<std::string>{"--formulation", "maximal"},
        std::vector<std::string>{"--set", "simulation.stabilization=baumgarte"}}) {
    std::vector<std::string> arguments{"simulate", file(scene)};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(says(outcome.err, "loop \"knuckle\" cannot be kept closed")) << outcome.err;
    EXPECT_TRUE(says(outcome.err, "the mechanism locks here")) << outcome.err;
    ASSERT_TRUE(outcome.err.starts_with("simulate: t = ")) << outcome.err;
    EXPECT_NEAR(std::stod(outcome.err.substr(14)), locks, 5e-3);
  }
}

/// No rounding explains a moment of -0.05 beside 0.06; one of -1e-9 it may.
TEST_F(Words, HeavyNegativeMomentsAreRefused) {
  const auto robot = [&](const char* ixx) {
    return folder_.write("r.urdf",
                         std::string("<robot name=\"r\"><link name=\"base\"/><link name=\"upper\"><inertial><mass "
                                     "value=\"2.1\"/><inertia ixx=\"") +
                             ixx +
                             "\" iyy=\"0.06\" izz=\"0.06\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint "
                             "name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/><child "
                             "link=\"upper\"/><axis xyz=\"0 1 0\"/></joint></robot>");
  };
  EXPECT_TRUE(says(test::refusal(run({"info", robot("-0.05")})), "inertia must be positive semidefinite"));
  const Outcome rounded = run({"info", robot("-1e-8")});
  EXPECT_EQ(rounded.code, 0) << rounded.err;
}

/// A pivot that is shaken stands still at t = 0, which is no singularity.
TEST_F(Words, AJointThatDependsOnTimeIsNotSingularWhereItRests) {
  const Outcome info = run({"info", file(R"toml(cardan = 1
[[body]]
name = "b"
mass = 0.7
com = [0, 0, -0.2]
inertia = [0.005, 0.004, 0.002, 0, 0, 0]
[body.joint]
type = "expression"
coordinates = ["a"]
transform = "trans(0, 0, 0.02*cos(160*t)) * roty(a)"
q = [2.8]
)toml")});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_FALSE(says(info.out, "singular")) << info.out;
}

/// Stepping that samples go through begins at the start, not at the last sample.
TEST_F(Words, SteppingBeginsWhereTheRunDoes) {
  const Outcome outcome = run({"simulate", file(R"toml(cardan = 1
[ground]
[[body]]
name = "b"
mass = 1
[[body.shape]]
box = [0.1, 0.1, 0.1]
[body.joint]
type = "prismatic"
axis = [0, 0, 1]
q = [0.05]
[[controller]]
type = "pd"
joints = ["b"]
target = ["0.1"]
kp = 50
kd = 2
period = 0.002
[simulation]
duration = 0.1
contact = "stepping"
)toml")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "stepping: ")) << outcome.out;
  EXPECT_FALSE(says(outcome.out, "stepping from")) << outcome.out;
}

/// Joints of an arm whose hand is led have no motors: a record of their effort says so.
TEST_F(Words, EffortsOfJointsThatAreLedFromOutsideAreExplained) {
  const std::string scene = test::kRod + test::kLowerRod + R"toml(q = [-0.9]
[[motion]]
frame = "lower"
at = [0, 0, -1]
position = ["0.9 + 0.1*cos(2*t)", "0", "-1.2 + 0.1*sin(2*t)"]
[[record]]
name = "motor"
joint = "rod"
quantity = "effort"
)toml";
  const Outcome outcome = run({"simulate", file(scene), "--duration", "0.2", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto warnings = Json::parse(outcome.out).at("warnings").get<std::vector<std::string>>();
  ASSERT_EQ(warnings.size(), 1u) << outcome.out;
  EXPECT_TRUE(warnings[0].starts_with("record \"motor\": nothing acts at joint \"rod\"")) << warnings[0];
}

}  // namespace
}  // namespace cardan
