// Exit code 0 means that the result holds: inputs that once gave wrong or misleading results (../shared/data/cases),
// and small stumbles of first users, all through the command.
#include "tests/apps/run_command.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

namespace cardan::trust_test {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::says;

const std::string kExamples = CARDAN_SOURCE_DIR "/examples/";

class Trust : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments) { return test::run_command(arguments, folder); }
  std::string refused(const std::vector<std::string>& arguments, int code = 1) {
    return test::refusal(run(arguments), code);
  }
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder.path(name);
    std::ofstream(path) << text;
    return path;
  }
  Json eval(const std::string& file, const std::string& request) {
    const Outcome outcome = run({"eval", file, write("request.json", request)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out).at("results").at(0) : Json();
  }
  test::TemporaryFolder folder;
};

/// A test that reads the cases beside the project.
class TrustCases : public Trust {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(test::shared_path("cases/README.md"))) GTEST_SKIP() << test::missing_data("cases");
  }
  static std::string file(const std::string& name) { return test::shared_path("cases/" + name); }
};

TEST_F(TrustCases, APointMassInALoopIsSolvedThoughTheTreeIsSingular) {
  const std::vector<double> expected{19.955, -194.431, 0.542, -23.249, -2.202};  // KKT of poses, independent
  const Json a = eval(file("d0_point_mass_in_loop.toml"), R"({"quantities": ["forward_dynamics"],
    "states": [{"q": [0.66574876779619918, 0.98606190000737703, 0.016319902401552022, 0.1335124161249214,
                      -0.097928672409725484, -0.60533391232873335], "v": [0, 0, 0, 0, 0]}]})")
                     .at("forward_dynamics");
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(a.at(i).get<double>(), expected[i], 1e-3) << i;
  const Outcome outcome = run({"simulate", file("d0_point_mass_in_loop.toml"), "--duration", "1", "--json"});
  if (outcome.code == 0) {
    const Json summary = Json::parse(outcome.out);
    EXPECT_LT(summary.at("largest_constraint_error").get<double>(), 1e-9);
    EXPECT_LT(summary.at("energy_drift").at("relative").get<double>(), 1e-6);
  } else {
    EXPECT_TRUE(says(outcome.err, "loop")) << outcome.err;
  }
}

TEST_F(TrustCases, APlateOfPointsIsSolvedOrRefused) {
  const Outcome outcome = run({"simulate", file("d0_stewart_point_plate.toml"), "--duration", "0.2", "--json"});
  if (outcome.code == 0) {
    EXPECT_LT(Json::parse(outcome.out).at("largest_constraint_error").get<double>(), 1e-9);
  } else {
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(says(outcome.err, "loop") || says(outcome.err, "singular")) << outcome.err;
  }
}

TEST_F(TrustCases, TheBranchNotTakenDoesNotMatter) {
  for (const char* name : {"d1_if_branch.toml", "d1_motion_if.toml"}) {
    const Outcome outcome = run({"simulate", file(name)});
    EXPECT_EQ(outcome.code, 0) << name << ": " << outcome.err;
  }
}

TEST_F(TrustCases, ASingularMassMatrixIsNamed) {
  for (const char* backend : {"generic", "compiled"}) {
    Json request = *test::shared_json("cases/d2_states.json");
    request["backend"] = backend;
    const std::string line = refused({"eval", file("d2_singular_mass_matrix.toml"), write("r.json", request.dump())});
    EXPECT_TRUE(says(line, "the mass matrix is singular")) << line;
    EXPECT_TRUE(says(line, "joint \"")) << line;
  }
  const std::string line = refused({"simulate", file("d2_singular_mass_matrix.toml")});
  EXPECT_TRUE(says(line, "singular")) << line;
  EXPECT_TRUE(says(run({"info", file("d2_singular_mass_matrix.toml")}).out, "singular"));
}

TEST_F(TrustCases, ArmatureMakesASingularJointRegular) {
  EXPECT_EQ(run({"eval", file("d_armature_refused.toml"), file("d_armature_states.json")}).code, 0);
  EXPECT_EQ(run({"simulate", file("d_armature_refused.toml"), "--duration", "0.1"}).code, 0);
}

TEST_F(TrustCases, ManyLoopsLoad) {
  const Outcome outcome =
      run({"simulate", file("d_400_loops.toml"), "--duration", "0.005", "--step", "0.001", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_LT(Json::parse(outcome.out).at("largest_constraint_error").get<double>(), 1e-10);
}

TEST_F(TrustCases, CodeOfALongChainIsWrittenInSeconds) {
  const Outcome outcome =
      run({"compile", file("d_chain_120.toml"), "--functions", "mass_matrix", "--out", folder.path("code")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "scene.c")) << outcome.out;
}

/// The case whose energy symplectic_euler lets go from 0.95 to 6.9 J: the method that promises a band keeps it.
TEST_F(TrustCases, EnergyStaysInABandWhereItIsPromised) {
  const Outcome outcome = run({"simulate", file("d_symplectic_euler.toml"), "--integrator", "variational", "--step",
                               "0.005", "--duration", "1000", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_LT(Json::parse(outcome.out).at("energy_drift").at("relative").get<double>(), 0.01) << outcome.out;
}

TEST_F(TrustCases, ColumnsHaveDifferentNames) {
  EXPECT_TRUE(says(refused({"simulate", file("d_duplicate_columns.toml")}), "\"a.0\""));
}

/// Values by the book of rules: the crank turns as the motion says, so the slide must carry it.
TEST_F(Trust, EvalHoldsPrescribedMotions) {
  const Json forces =
      eval(kExamples + "slider_crank.toml", R"({"quantities": ["constraint_forces"], "forces": true, "states": [{}]})")
          .at("constraint_forces");
  double largest = 0.0;
  bool names_motion = false;
  for (const Json& f : forces) {
    if (f.contains("force"))
      for (const Json& x : f.at("force")) largest = std::max(largest, std::abs(x.get<double>()));
    names_motion |= says(f.at("constraint").get<std::string>(), "motion");
  }
  EXPECT_TRUE(names_motion) << forces.dump();
  EXPECT_NEAR(largest, 57.7, 0.1) << forces.dump();
}

TEST_F(Trust, EvalTakesForcesWhereAsked) {
  const std::string scene = write("spring.toml", R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "a"
mass = 2.0
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
stiffness = 50.0
damping = 3.0
)");
  const std::string state = R"("states": [{"q": [0.2], "v": [0.5]}])";
  const Json with =
      eval(scene, R"({"quantities": ["forward_dynamics", "inverse_dynamics", "applied_forces"], "forces": true, )" +
                      state + "}");
  const double force = -50.0 * 0.2 - 3.0 * 0.5;
  EXPECT_NEAR(with.at("forward_dynamics").at(0).get<double>(), force / 2.0, 1e-12);
  EXPECT_NEAR(with.at("inverse_dynamics").at(0).get<double>(), -force, 1e-12);
  EXPECT_NEAR(with.at("applied_forces").at(0).get<double>(), force, 1e-12);
  const Json without = eval(scene, R"({"quantities": ["forward_dynamics"], )" + state + "}");
  EXPECT_EQ(without.at("forward_dynamics").at(0).get<double>(), 0.0);
}

TEST_F(Trust, EvalRefusesUnknownKeys) {
  const std::string robot = kExamples + "double_pendulum.urdf";
  const auto line = [&](const std::string& request) { return refused({"eval", robot, write("r.json", request)}); };
  EXPECT_TRUE(says(line(R"({"quantitis": ["bias"], "states": []})"), "did you mean \"quantities\""));
  EXPECT_TRUE(says(line(R"({"quantities": ["bias"], "states": [{"q": [0, 0], "w": [0, 0]}]})"), "unknown key \"w\""));
  EXPECT_TRUE(says(line(R"({"quantities": ["bias"], "states": [], "constraint_method": "durect"})"), "direct"));
}

TEST_F(Trust, CompileSaysWhatItLeavesOut) {
  const Outcome outcome =
      run({"compile", kExamples + "slider_crank.toml", "--functions", "mass_matrix", "--out", folder.path("c")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* what : {"not in the code: 1 loop\n", "not in the code: 1 prescribed motion\n"})
    EXPECT_TRUE(says(outcome.out, what)) << outcome.out;
}

TEST_F(Trust, AMassAloneIsSpreadOverTheShapes) {
  const std::string scene = write("rod.toml", R"(cardan = 1
[[body]]
name = "rod"
mass = 3.0
[body.joint]
type = "revolute"
axis = [0, 1, 0]
[[body.shape]]
box = [0.1, 0.2, 1.0]
at = { xyz = [0, 0, -0.5] }
)");
  const Outcome outcome = run({"info", scene, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json body = Json::parse(outcome.out).at("bodies").at(0);
  EXPECT_NEAR(body.at("center_of_mass").at(2).get<double>(), -0.5, 1e-12);
  EXPECT_NEAR(body.at("inertia").at(0).get<double>(), 3.0 * (0.2 * 0.2 + 1.0) / 12.0, 1e-12);
  EXPECT_NEAR(body.at("inertia").at(2).get<double>(), 3.0 * (0.1 * 0.1 + 0.2 * 0.2) / 12.0, 1e-12);
}

TEST_F(Trust, InfoListsWhatActs) {
  const std::string text = run({"info", kExamples + "slider_crank.toml"}).out;
  for (const char* part : {"prescribed motions:", "center of mass", "prescribed by motions"})
    EXPECT_TRUE(says(text, part)) << part << "\n" << text;
  EXPECT_TRUE(says(run({"info", kExamples + "spring_pendulum.toml"}).out, "forces:"));
}

TEST_F(Trust, OptionsAreHelpedWith) {
  const std::string pendulum = kExamples + "pendulum.toml";
  EXPECT_TRUE(says(refused({"simulate", pendulum, "--duraton", "1"}, 2), "did you mean \"--duration\""));
  const std::string negative = refused({"simulate", pendulum, "--step", "-1"}, 2);
  EXPECT_TRUE(says(negative, "expected a positive number, found \"-1\"")) << negative;
  EXPECT_LT(negative.size(), 160u);
  EXPECT_TRUE(says(refused({"simulate", pendulum, "--tolerance", "1e-30"}), "tolerance must be at least 1e-15"));
  EXPECT_EQ(run({"simulate", pendulum, "--integrator", "ode45", "--duration", "0.1"}).code, 0);
}

TEST_F(Trust, OutputsAreNeverMixedUp) {
  const std::string scene = write("p.toml", test::file_contents(kExamples + "pendulum.toml"));
  const std::string before = test::file_contents(scene);
  EXPECT_TRUE(says(refused({"simulate", scene, "--out", scene}), "the scene itself"));
  EXPECT_EQ(test::file_contents(scene), before);
  EXPECT_TRUE(says(refused({"simulate", scene, "--out", folder.path("x"), "--report", folder.path("x")}), "two files"));
  EXPECT_TRUE(says(refused({"simulate", scene, "--out", ""}), "--out"));
  const Outcome piped = run({"simulate", scene, "--duration", "0.1", "--out", "-"});
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("t,")) << piped.out.substr(0, 40);
  EXPECT_TRUE(says(piped.err, "simulated time"));
}

TEST_F(Trust, AFullDiskKeepsTheSummary) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Outcome outcome = run({"simulate", kExamples + "pendulum.toml", "--duration", "0.1", "--out", "/dev/full"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.out, "simulated time")) << outcome.out;
  EXPECT_TRUE(says(outcome.err, "cannot be written")) << outcome.err;
}

/// What was computed is in the file while the run goes on: rows arrive, and a process that is killed leaves them whole.
TEST_F(Trust, AKilledRunLeavesWhatItHasComputed) {
  const std::string out = folder.path("killed.csv");
  const std::string command = "timeout -s KILL 1.5 " + std::string(CARDAN_COMMAND) + " simulate " + kExamples +
                              "pendulum.toml --duration 1e5 --out " + out + " > /dev/null 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  const std::string text = test::file_contents(out);
  const auto rows = std::count(text.begin(), text.end(), '\n');
  EXPECT_GT(rows, 100);
  const std::string whole = folder.path("whole.csv");
  ASSERT_EQ(run({"simulate", kExamples + "pendulum.toml", "--duration", "0.5", "--out", whole}).code, 0);
  const std::string begin = test::file_contents(whole);
  EXPECT_EQ(text.substr(0, begin.size() / 2), begin.substr(0, begin.size() / 2));
}

/// A chain whose mass matrix has millions of entries' worth of code is refused in a line rather than written.
TEST_F(Trust, CodeThatNoCompilerTakesIsRefused) {
  std::string scene = "cardan = 1\n";
  for (int i = 0; i < 700; ++i) {
    const std::string carrier = i == 0 ? "world" : "b" + std::to_string(i - 1);
    scene += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nparent = \"" + carrier +
             "\"\nmass = 1.0\ncom = [0.05, 0, 0.01]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nat = { xyz = "
             "[0.1, 0, 0] }\n";
  }
  const std::string line =
      refused({"compile", write("chain.toml", scene), "--functions", "mass_matrix", "--out", folder.path("code")});
  EXPECT_TRUE(says(line, "compile: mass_matrix: more than")) << line;
}

TEST_F(Trust, EnergyThatDriftsIsSaid) {
  const Outcome outcome =
      run({"simulate", kExamples + "heavy_top.toml", "--integrator", "euler", "--step", "0.001", "--duration", "2"});
  EXPECT_TRUE(says(outcome.out + outcome.err, "the energy drifts by")) << outcome.out;
}

/// Published robots have moments that rounding made negative, no name, and mimics of joints that are not there.
TEST_F(Trust, DoubtfulRobotsAreWarnedOfOrRefused) {
  const std::string robot = write("r.urdf", R"(<robot>
<link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="-5e-20" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"
 effort="1" velocity="1"/><mimic joint="gone"/></joint>
</robot>
)");
  const Outcome outcome = run({"info", robot});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"no name", "gone"}) EXPECT_TRUE(says(outcome.out, part)) << part << outcome.out;
  EXPECT_EQ(run({"info", robot, "--strict"}).code, 1);
}

/// Hinges that are too many to compile run on the generic code.
TEST_F(Trust, ALongChainRuns) {
  std::string text = "cardan = 1\n";
  for (int i = 0; i < 20000; ++i) {
    text += "[[body]]\nname=\"b" + std::to_string(i) + "\"\n";
    if (i > 0) text += "parent=\"b" + std::to_string(i - 1) + "\"\n";
    text += "mass=1\ncom=[0.05,0,0]\ninertia=[0.01,0.01,0.01,0,0,0]\n[body.joint]\ntype=\"revolute\"\naxis=[0,1,0]\n";
    if (i > 0) text += "at={xyz=[0.1,0,0]}\n";
  }
  const Outcome outcome = run({"simulate", write("chain.toml", text), "--step", "0.001", "--duration", "0.001"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace cardan::trust_test
