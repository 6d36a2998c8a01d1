// `cardan convert`: what it writes is what it read.
#include "tests/apps/scene_runs.hpp"

namespace cardan::test {
namespace {

class Convert : public SceneRuns {};

constexpr const char* kModel = R"(<mujoco model="arm"><worldbody><body name="upper" pos="0 0 1" euler="0 10 0">
<joint name="shoulder" axis="0 1 0" pos="0 0 0.1" damping="0.2"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.5"/>
<body name="lower" pos="0 0 -0.5"><joint name="elbow" axis="0 1 0"/><geom type="box" size="0.05 0.05 0.2"/></body></body>
</worldbody></mujoco>)";

TEST_F(Convert, AScenesRunIsThatOfTheModel) {
  const std::string model = file(kModel, "arm.xml"), scene = folder_.path("arm.toml");
  const Outcome done = run({"convert", model, scene});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(says(done.err, "contact is not read: nothing touches")) << done.err;
  for (const std::string& path : {model, scene})
    ASSERT_EQ(run({"simulate", path, "--duration", "1", "--out", path + ".csv"}).code, 0);
  EXPECT_EQ(file_contents(model + ".csv"), file_contents(scene + ".csv"));
}

TEST_F(Convert, ExamplesRunTheSameBitForBit) {
  for (const char* name : {"four_bar", "spring_pendulum", "driven_arm", "rolling_coin"}) {
    const std::string first = kExamplesOfScenes + name + ".toml", again = folder_.path(std::string(name) + ".toml");
    ASSERT_EQ(run({"convert", first, again}).code, 0);
    for (const auto& [path, out] : {std::pair(first, "a.csv"), std::pair(again, "b.csv")})
      ASSERT_EQ(run({"simulate", path, "--duration", "0.5", "--out", folder_.path(out)}).code, 0);
    EXPECT_EQ(file_contents(folder_.path("a.csv")), file_contents(folder_.path("b.csv"))) << name;
  }
}

TEST_F(Convert, MistakesAreOneLine) {
  const std::string model = file(kModel, "arm.xml");
  EXPECT_TRUE(says(refusal(run({"convert", model, folder_.path("arm.urdf")})), "expected a file that ends in .toml"));
  EXPECT_TRUE(says(refusal(run({"convert", model, "--strict", folder_.path("arm.toml")})), "contact is not read"));
  EXPECT_TRUE(
      says(refusal(run({"convert", file("", "x.step"), folder_.path("arm.toml")})), "expected a file that ends in"));
  const std::string scene = file("cardan = 1\n", "s.toml");
  EXPECT_TRUE(says(refusal(run({"convert", scene, scene})), "expected two files"));
}

}  // namespace
}  // namespace cardan::test
