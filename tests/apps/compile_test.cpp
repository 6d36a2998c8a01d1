// `cardan compile` from outside: files, check by both compilers, refusals; and the compiled backends of `cardan eval`.
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace cardan {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::says;
using test::TemporaryFolder;
namespace fs = std::filesystem;

const std::string kExamples = CARDAN_SOURCE_DIR "/examples/";

class Compile : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) { return test::run_command(arguments, folder); }
  std::string refused(const std::vector<std::string>& arguments) { return test::refusal(run(arguments)); }
  TemporaryFolder folder;
};

/// gcc and clang, all warnings being errors; every function, on a URDF and on scenes with invented joints.
TEST_F(Compile, GeneratedCCompilesCleanlyAndAgrees) {
  for (const char* compiler : {"gcc", "clang-14"}) {
    setenv("CC", compiler, 1);
    for (const char* file : {"double_pendulum.urdf", "knee.toml", "cam.toml", "torus_chain_on_curve.toml"}) {
      const Outcome info = run({"info", kExamples + file, "--json"});
      ASSERT_EQ(info.code, 0) << info.err;
      const std::string last = Json::parse(info.out).at("bodies").back().at("name");
      const Outcome outcome =
          run({"compile", kExamples + file, "--out", folder.path("c"), "--check", "--frame", last, "--functions",
               "forward_dynamics,inverse_dynamics,mass_matrix,bias,gravity,pose,jacobian"});
      EXPECT_EQ(outcome.code, 0) << compiler << " " << file << ": " << outcome.err;
      EXPECT_EQ(outcome.err, "");
      EXPECT_TRUE(says(outcome.out, "checked jacobian")) << outcome.out;
    }
  }
  unsetenv("CC");
}

TEST_F(Compile, DerivativesInCAgree) {
  for (const char* file : {"double_pendulum.urdf", "knee.toml"}) {
    const Outcome outcome = run({"compile", kExamples + file, "--out", folder.path("c"), "--check", "--functions",
                                 "inverse_mass_matrix,inverse_dynamics_derivatives,forward_dynamics_derivatives,"
                                 "forward_dynamics_adjoint"});
    EXPECT_EQ(outcome.code, 0) << file << ": " << outcome.err;
    EXPECT_TRUE(says(outcome.out, "checked forward_dynamics_adjoint")) << outcome.out;
  }
}

constexpr const char* kSprungRod = R"(cardan = 1
name = "rod"
[ground]
[[body]]
name = "rod"
mass = 1
com = [0, 0, -0.5]
inertia = [0.08, 0.08, 0.001, 0, 0, 0]
[[body.shape]]
sphere = 0.1
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 0, 1] }
damping = 2.0
stiffness = 3.0
rest = 0.1
friction = 0.3
limits = [[-1, 1]]
)";

/// A rod on a hinge with spring and damper: 0.33 a = tau - 9.81 0.5 sin q - 3 (q - 0.1) - 2 v.
TEST_F(Compile, SpringsAndDampersOfJointsAreInTheCode) {
  const Outcome outcome = run({"compile", folder.write("rod.toml", kSprungRod), "--out", folder.path("c"), "--check"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  folder.write("c/main.c", R"(#include "rod.h"
#include <stdio.h>
int main(void) {
  const double q[] = {0.3}, v[] = {1.0}, x[] = {0.7};
  double a[1], tau[1];
  rod_forward_dynamics(q, v, x, a);
  rod_inverse_dynamics(q, v, x, tau);
  printf("%.17g %.17g", a[0], tau[0]);
  return 0;
})");
  const std::string c = folder.path("c");
  ASSERT_EQ(std::system(
                ("cc " + c + "/main.c " + c + "/rod.c -lm -o " + c + "/rod && " + c + "/rod > " + c + "/says").c_str()),
            0);
  std::ifstream says_it(c + "/says");
  double a = 0.0, tau = 0.0;
  says_it >> a >> tau;
  const double resistance = 9.81 * 0.5 * std::sin(0.3) + 3.0 * (0.3 - 0.1) + 2.0 * 1.0;
  EXPECT_NEAR(a, (0.7 - resistance) / 0.33, 1e-12);
  EXPECT_NEAR(tau, 0.33 * 0.7 + resistance, 1e-12);
}

/// What is not in the code is listed, on the standard output and in the header.
TEST_F(Compile, WhatIsLeftOutIsSaid) {
  const Outcome outcome = run({"compile", folder.write("rod.toml", kSprungRod), "--out", folder.path("c")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string header = test::file_contents(folder.path("c/rod.h"));
  for (const char* what : {"dry friction of joint \"rod\"", "limits of joint \"rod\"", "contact"}) {
    EXPECT_TRUE(says(outcome.out, std::string("not in the code: ") + what)) << outcome.out;
    EXPECT_TRUE(says(header, what)) << header;
  }
}

/// Random chains of hinges and sliders with stiffness and damping, against the equations with the scene's forces.
TEST_F(Compile, TheCodeAgreesWithTheForcesOfTheScene) {
  for (int seed = 1; seed <= 3; ++seed) {
    std::string scene = "cardan = 1\nname = \"chain\"\n", parent = "world";
    for (int i = 0; i < 3; ++i) {
      const double x = 0.3 * std::sin(7.0 * seed + 3.0 * i);
      scene += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nparent = \"" + parent +
               "\"\nmass = 1.5\ncom = [0.1, 0.2, " + std::to_string(x) +
               "]\ninertia = [0.1, 0.12, 0.13, 0, 0, 0]\n[body.joint]\ntype = \"" +
               (((i + seed) % 2) != 0 ? "revolute" : "prismatic") + "\"\naxis = [" + std::to_string(x) +
               ", 1, 0.2]\nat = { xyz = [0.1, 0, 0.5] }\nstiffness = " + std::to_string(2 + i) +
               "\nrest = " + std::to_string(x) + "\ndamping = " + std::to_string(0.5 * seed) + "\n";
      parent = "b" + std::to_string(i);
    }
    const Outcome outcome = run({"compile", folder.write("chain.toml", scene), "--out", folder.path("c"), "--check"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(says(outcome.out, "checked inverse_dynamics")) << outcome.out;
    EXPECT_FALSE(says(outcome.out, "not in the code")) << outcome.out;
  }
}

/// Loops, motions, springs, cables, controllers with states and inputs, by both compilers.
TEST_F(Compile, AccelerationsOfWholeScenes) {
  for (const char* compiler : {"gcc", "clang-14"}) {
    setenv("CC", compiler, 1);
    for (const char* file : {"four_bar", "delta_robot", "slider_crank", "spring_pendulum", "cart_pole", "driven_arm",
                             "rack_and_pinion", "umbrella", "mixed_arm"}) {
      const Outcome outcome = run(
          {"compile", kExamples + file + ".toml", "--out", folder.path("c"), "--functions", "acceleration", "--check"});
      EXPECT_EQ(outcome.code, 0) << compiler << " " << file << ": " << outcome.err;
      EXPECT_TRUE(says(outcome.out, "checked acceleration")) << outcome.out;
    }
  }
  unsetenv("CC");
}

TEST_F(Compile, SaysWhyThereIsNoAcceleration) {
  const std::string arm = kExamples + "arm26.toml", out = folder.path("c");
  const std::string why = refused({"compile", arm, "--out", out, "--functions", "acceleration"});
  EXPECT_TRUE(says(why, "muscle \"TRIlong\": its path goes over surfaces")) << why;
  EXPECT_FALSE(fs::exists(out));
  const Outcome others = run({"compile", arm, "--out", out});
  ASSERT_EQ(others.code, 0) << others.err;
  EXPECT_TRUE(says(others.out, "not in the code: acceleration: muscle \"TRIlong\": its path goes over surfaces"));
  EXPECT_TRUE(says(others.out, "not in the code: 6 forces"));
}

TEST_F(Compile, HostileNamesBecomeHarmless) {
  const std::string urdf = folder.write("r.urdf", R"(<robot name="int"><link name="a"/><link name="b"><inertial>
    <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="*/ evil(); /* ??/" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)");
  const Outcome outcome = run({"compile", urdf, "--out", folder.path("c"), "--check"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder.path("c/int_.c")));
}

TEST_F(Compile, Refuses) {
  const std::string pendulum = kExamples + "double_pendulum.urdf", out = folder.path("c");
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "forward_dynamic"}),
                   "did you mean \"forward_dynamics\"?"));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "pose"}), "--frame"));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "pose", "--frame", "lowr"}),
                   "did you mean \"lower\"?"));
  EXPECT_TRUE(says(refused({"compile", "absent.urdf", "--out", out}), "absent.urdf"));
  EXPECT_FALSE(fs::exists(out));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", folder.write("file", "")}), "folder"));
}

double largest_difference(const Json& a, const Json& b) {
  if (a.is_number()) return std::abs(a.get<double>() - b.get<double>()) / std::max(1.0, std::abs(b.get<double>()));
  double worst = 0.0;
  for (auto it = a.begin(), other = b.begin(); it != a.end(); ++it, ++other)
    worst = std::max(worst, largest_difference(*it, *other));
  return worst;
}

TEST_F(Compile, BackendsOfEvalAgree) {
  Json request{{"quantities",
                {"inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity", "energy", "pose", "jacobian",
                 "inverse_dynamics_derivatives", "forward_dynamics_derivatives"}},
               {"frame", "foot"}};
  for (int i = 0; i < 11; ++i)  // one register of states, and some
    request["states"].push_back({{"a", std::vector<double>(6, 0.1 * i)}, {"tau", std::vector<double>(6, 0.2 * i)}});
  Json generic;
  for (const char* backend : {"generic", "compiled", "batch"}) {
    request["backend"] = backend;
    const Outcome outcome = run({"eval", kExamples + "knee.toml", folder.write("s.json", request.dump())});
    if (std::string(backend) == "batch" && says(outcome.err, "no machine code")) continue;
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json results = Json::parse(outcome.out).at("results");
    ASSERT_EQ(results.size(), 11u);
    if (generic.is_null()) generic = results;
    EXPECT_LT(largest_difference(results, generic), 1e-12) << backend;
  }
}

}  // namespace
}  // namespace cardan
