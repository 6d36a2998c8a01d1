// Records through the command: what is written beside a state is of that instant.
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

class RecordsOfRuns : public test::SceneRuns {};

/// A controller that samples and holds does at a sample what its law says of the state in the same row.
TEST_F(RecordsOfRuns, EffortsOfASampledControllerAreOfTheirRow) {
  const CsvTable run = motion(test::kRod + R"toml([[controller]]
name = "hold"
type = "pd"
joints = ["rod"]
target = ["0.3"]
kp = 20
kd = 2
period = 0.05
[[record]]
name = "effort"
controller = "hold"
quantity = "effort"
)toml",
                              {"--duration", "2", "--output-every", "0.025"});
  const std::size_t q = run.find("q.rod"), v = run.find("v.rod"), effort = run.find("effort");
  ASSERT_EQ(run.rows.size(), 81u);
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const std::vector<double>& seen = run.rows[i - i % 2];  // at the last sample
    EXPECT_NEAR(run.rows[i][effort], 20.0 * (0.3 - seen[q]) - 2.0 * seen[v], 1e-9) << "row " << i;
  }
}

/// Where a linkage of four bars holds its plane twice, forces across the plane are one choice of many; those in the
/// plane are not named, and every method finds the same.
TEST_F(RecordsOfRuns, ForcesThatAreNotUniqueAreNamed) {
  const std::string scene = test::file_contents(test::kExamplesOfScenes + "four_bar.toml") + R"toml(
[[record]]
name = "pin"
loop = "pin"
quantity = "wrench"
[[record]]
name = "hinge"
joint = "rocker"
quantity = "force"
)toml";
  const std::vector<std::string> shared{"pin.mx", "pin.my", "pin.fz", "hinge.z"};
  CsvTable first;
  for (const char* method : {"direct", "dual", "elimination", "articulated", "sparse"}) {
    const std::string csv = folder_.path("run.csv");
    const test::Outcome outcome = run({"simulate", file(scene), "--duration", "0.1", "--json", "--out", csv, "--set",
                                       std::string("simulation.constraint_method=") + method});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string warning = test::Json::parse(outcome.out).at("warnings").at(0);
    EXPECT_TRUE(warning.starts_with("not unique: pin.mx, pin.my, pin.fz, hinge.z: ")) << warning;
    const CsvTable found = load_csv(csv);
    if (first.rows.empty()) first = found;
    for (const char* column : {"pin.fx", "pin.fy", "pin.mz", "hinge.x", "hinge.y"})
      for (std::size_t row = 0; row < found.rows.size(); ++row)
        EXPECT_NEAR(found.rows[row][found.find(column)], first.rows[row][first.find(column)], 1e-6) << method << column;
  }
}

/// The same linkage with a pin that holds two directions alone shares nothing.
TEST_F(RecordsOfRuns, ForcesOfAPlaneLoopAreUnique) {
  std::string scene = test::file_contents(test::kExamplesOfScenes + "four_bar.toml");
  const std::string pin = "type = \"revolute\"\naxis = [0, 0, 1]\n\n[simulation]";
  ASSERT_NE(scene.find(pin), std::string::npos);
  scene.replace(scene.find(pin), pin.size(),
                "type = \"composite\"\njoints = [{ type = \"spherical\" }, { type = \"prismatic\", axis = [0, 0, 1] "
                "}]\n[[record]]\nname = \"pin\"\nloop = \"pin\"\nquantity = \"wrench\"\n[simulation]");
  const test::Outcome outcome = run({"simulate", file(scene), "--duration", "0.1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(test::Json::parse(outcome.out).at("warnings").size(), 0u) << outcome.out;
}

/// A cart that is driven at 1 m/s picks up a block: the impulse of 1 N s does 1 J of work, which no force does.
TEST_F(RecordsOfRuns, WorkSaysThatItLeavesOutImpulses) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[[contact]]
friction = 0
[[body]]
name = "cart"
mass = 1
[[body.shape]]
box = [0.2, 0.2, 0.2]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[body]]
name = "block"
mass = 1
[[body.shape]]
box = [0.2, 0.2, 0.2]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
q = [0.5]
[[motion]]
joint = "cart"
position = "t"
[[record]]
name = "taken"
motion = "cart"
quantity = "work"
)toml";
  const test::Outcome outcome = run({"simulate", file(scene), "--duration", "1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto warnings = test::Json::parse(outcome.out).at("warnings").get<std::vector<std::string>>();
  ASSERT_EQ(warnings.size(), 1u) << outcome.out;
  EXPECT_TRUE(warnings[0].starts_with("work of forces alone: taken: the impulses of 1 impact")) << warnings[0];
}

/// Limits of velocity and effort are data, and a run that goes beyond them says so: 3 N on 1 kg, at t = 0.5 s 1.5 m/s.
TEST_F(RecordsOfRuns, LimitsThatNothingHoldsAreNamed) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "b"
mass = 1
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
velocity_limit = 1.495
effort_limit = 2.5
)toml";
  const auto warnings = [&](const std::string& acts) {
    const test::Outcome outcome = run({"simulate", file(scene + acts), "--duration", "1", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return test::Json::parse(outcome.out).at("warnings").get<std::vector<std::string>>();
  };
  const auto force = warnings("[[force]]\ntype = \"joint\"\njoint = \"b\"\nforce = \"3\"\n");
  ASSERT_EQ(force.size(), 2u);
  EXPECT_TRUE(force[0].starts_with("joint \"b\": exceeds its velocity_limit of 1.495 at t = 0.5 s")) << force[0];
  EXPECT_TRUE(force[1].starts_with("joint \"b\": force at joint \"b\" exceeds its effort_limit of 2.5 at t = 0 s (3)"));
  const auto moved = warnings("[[motion]]\njoint = \"b\"\nposition = \"t^3\"\n");  // takes 6 t N
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_TRUE(moved[1].starts_with("joint \"b\": its motion exceeds its effort_limit of 2.5 at t = 0.42 s (2.52)"))
      << moved[1];
  EXPECT_TRUE(warnings("[[force]]\ntype = \"joint\"\njoint = \"b\"\nforce = \"1.4\"\n").empty());
  const test::Outcome info = run({"info", file(scene)});
  EXPECT_TRUE(test::says(info.out, "velocity limits are data alone")) << info.out;
}

}  // namespace
}  // namespace cardan
