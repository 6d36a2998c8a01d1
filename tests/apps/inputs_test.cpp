// Inputs of a scene by the command: led through time by a file, read by texts, springs, muscles and evaluations.
#include "tests/apps/scene_runs.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

/// A rotor of 0.5 kg m^2 and a slider of 3 kg, which nothing else moves.
const std::string kRotor = R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "rotor"
mass = 2
inertia = [1, 1, 0.5, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
[[body]]
name = "slider"
mass = 3
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[simulation]
duration = 1
)";
const std::string kMotor = "[[input]]\nname = \"motor\"\njoint = \"rotor\"\nlimit = 5\n";
/// 0 to 10 in half a second, back in a tenth: within the limit an impulse of 2.25 N m s.
const std::string kCourse = "t,motor\n0,0\n0.5,10\n0.6,0\n";

class InputScenes : public SceneRuns {
 protected:
  std::string last_line(const std::string& scene) const { return refusal(run({"simulate", file(scene)})); }
};

TEST_F(InputScenes, AreLedThroughTimeByAFile) {
  const std::string course = file(kCourse, "course.csv");
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--integrator", "rk4"},
                                                  {"--integrator", "bdf2", "--step", "0.0005"},
                                                  {"--integrator", "dopri5"},
                                                  {"--integrator", "generalized_alpha", "--step", "0.0005"},
                                                  {"--formulation", "maximal"},
                                                  {"--formulation", "redmax"},
                                                  {"--formulation", "reduced"}}) {
    std::vector<std::string> all{"--input", course};
    all.insert(all.end(), options.begin(), options.end());
    const CsvTable table = motion(kRotor + kMotor, all);
    ASSERT_EQ(table.rows.size(), 101u);
    EXPECT_NEAR(value(table, "v.rotor", 100), 2.25 / 0.5, 1e-6) << fmt::format("{}", fmt::join(options, " "));
    EXPECT_NEAR(value(table, "u.motor", 20), 4.0, 1e-12);
    EXPECT_NEAR(value(table, "u.motor", 40), 5.0, 1e-12);  // within its limit
    EXPECT_NEAR(value(table, "u.motor", 90), 0.0, 1e-12);  // held after the last row
  }
  // steps end where it bends: the default method is exact
  EXPECT_NEAR(value(motion(kRotor + kMotor, {"--input", course}), "v.rotor", 100), 4.5, 1e-12);
}

TEST_F(InputScenes, ActInContactSteps) {
  const std::string scene = kRotor + kMotor + R"([[body]]
name = "box"
[body.joint]
type = "free"
q = [1, 0, 0, 0, 5, 0, 0.1]
[[body.shape]]
box = [0.2, 0.2, 0.2]
density = 1000
[ground]
)";
  const CsvTable table = motion(scene, {"--input", file(kCourse, "course.csv"), "--step", "0.001"});
  EXPECT_NEAR(value(table, "v.rotor", table.rows.size() - 1), 4.5, 1e-9);
}

TEST_F(InputScenes, KeepTheirDefaultWhereNobodyWritesThem) {
  const CsvTable table = motion(kRotor + kMotor + "default = 0.25\n");
  EXPECT_NEAR(value(table, "v.rotor", 100), 0.5, 1e-12);
  EXPECT_NEAR(value(table, "q.rotor", 100), 0.25, 1e-12);
}

TEST_F(InputScenes, AreWordsOfTextsAndLaws) {
  const std::string scene = kRotor + R"([[input]]
name = "pull"
default = 2
[[force]]
type = "joint"
joint = "rotor"
force = "3*pull - rotor"
[[force]]
type = "spring"
name = "wire"
points = [{ body = "slider", at = [0, 0, 0] }, { body = "world", at = [4, 0, 0] }]
law = "10*(l - 4) + pull"
[[input]]
name = "winch"
force = "wire"
default = 1
[[record]]
name = "twice"
expression = "2*pull"
)";
  const std::string path = file(scene, "words.toml");
  const Json out = eval(path, R"({"quantities": ["forward_dynamics", "applied_forces", "records"], "forces": true,
    "states": [{"q": [0, 0]}, {"q": [0.5, 1], "u": {"pull": 3, "winch": -4}}]})")["results"];
  EXPECT_NEAR(out[0]["forward_dynamics"][0].get<double>(), 6.0 / 0.5, 1e-12);
  EXPECT_NEAR(out[0]["forward_dynamics"][1].get<double>(), (2.0 + 1.0) / 3.0, 1e-12);
  EXPECT_NEAR(out[1]["forward_dynamics"][0].get<double>(), (9.0 - 0.5) / 0.5, 1e-12);
  EXPECT_NEAR(out[1]["forward_dynamics"][1].get<double>(), (-10.0 + 3.0 - 4.0) / 3.0, 1e-12);
  // what is commanded is no passive force
  EXPECT_NEAR(out[1]["applied_forces"][1].get<double>(), -10.0 + 3.0, 1e-12);
  EXPECT_NEAR(out[1]["records"]["twice"].get<double>(), 6.0, 1e-12);
  EXPECT_NEAR(out[1]["records"]["u.winch"].get<double>(), -4.0, 1e-12);
}

TEST_F(InputScenes, ExciteMuscles) {
  const std::string muscle = R"([[force]]
type = "muscle"
name = "calf"
points = [{ body = "slider", at = [0, 0, 0] }, { body = "world", at = [0.3, 0, 0] }]
max_force = 100
optimal_length = 0.1
slack_length = 0.2
)";
  const std::string by_input = kRotor + muscle + "[[input]]\nname = \"nerve\"\nforce = \"calf\"\ndefault = 0.4\n",
                    by_text = kRotor + muscle + "excitation = 0.4\n";
  const CsvTable one = motion(by_input, {"--duration", "0.05"}), other = motion(by_text, {"--duration", "0.05"});
  const std::size_t last = one.rows.size() - 1;
  EXPECT_GT(value(one, "q.slider", last), 1e-3);
  EXPECT_NEAR(value(one, "q.slider", last), value(other, "q.slider", last), 1e-12);
}

TEST_F(InputScenes, AreListed) {
  const Json info = Json::parse(run({"info", "--json", file(kRotor + kMotor)}).out);
  ASSERT_EQ(info["inputs"].size(), 1u);
  EXPECT_EQ(info["inputs"][0]["name"], "motor");
  EXPECT_EQ(info["inputs"][0]["limit"], 5.0);
  EXPECT_TRUE(says(run({"info", file(kRotor + kMotor)}).out, "motor: 0 where nobody writes it, within +-5"));
}

TEST_F(InputScenes, MistakesAreOneLine) {
  const auto with = [](const std::string& input) { return kRotor + "[[input]]\n" + input; };
  EXPECT_TRUE(says(last_line(with("name = \"a\"\njoint = \"roto\"\n")), "did you mean \"rotor\"?"));
  EXPECT_TRUE(says(last_line(with("joint = \"rotor\"\n")), "expected the key \"name\", found none"));
  EXPECT_TRUE(says(last_line(with("name = \"a\"\njoint = \"rotor\"\ncoordinate = 1\n")),
                   "expected a whole number from 0 to 0, found the number 1"));
  EXPECT_TRUE(says(last_line(with("name = \"a\"\nlimit = -1\n")), "limit: expected a positive number, found -1"));
  EXPECT_TRUE(says(last_line(with("name = \"a\"\nforce = \"s\"\n")), "expected a spring, cable or muscle"));
  EXPECT_TRUE(says(last_line(with("name = \"a\"\njoint = \"rotor\"\nforce = \"s\"\n")), "found both"));
  const std::string scene = file(kRotor + kMotor);
  const auto course = [&](const std::string& text) {
    return refusal(run({"simulate", scene, "--input", file(text, "course.csv")}));
  };
  EXPECT_TRUE(says(course("t,moter\n0,1\n"), "did you mean \"motor\"?"));
  EXPECT_TRUE(says(course("time,motor\n0,1\n"), "expected a column t, found none"));
  EXPECT_TRUE(says(course("t,motor\n0,1\n0,2\n"), "row 2: expected times that rise, found 0 after 0"));
  EXPECT_TRUE(says(course("t,motor\n"), "expected rows of numbers, found none"));
  const std::string request =
      file(R"({"quantities": ["forward_dynamics"], "states": [{"u": {"motor": 1}}]})", "r.json");
  EXPECT_TRUE(says(refusal(run({"eval", scene, request})), "expected \"forces\": true, by which inputs act"));
}

}  // namespace
}  // namespace cardan::test
