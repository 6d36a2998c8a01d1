// `cardan convert`: what it writes is what it read.
#include "tests/apps/scene_runs.hpp"

#include <filesystem>

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

/// Every example, written to another folder and read again: the same tree and the same run, bit for bit.
TEST_F(Convert, ExamplesRunTheSameBitForBit) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kExamplesOfScenes)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string first = entry.path().string(), again = folder_.path(entry.path().filename().string());
    const Outcome done = run({"convert", first, again});
    ASSERT_EQ(done.code, 0) << done.err;
    for (const auto& [path, out] : {std::pair(first, "a.csv"), std::pair(again, "b.csv")}) {
      const Outcome ran = run({"simulate", path, "--duration", "0.02", "--out", folder_.path(out), "--set",
                               "simulation.output_every=0.005"});
      ASSERT_EQ(ran.code, 0) << ran.err;
    }
    const std::string rows = file_contents(folder_.path("a.csv"));
    EXPECT_GE(std::count(rows.begin(), rows.end(), '\n'), 5) << first;
    EXPECT_EQ(rows, file_contents(folder_.path("b.csv"))) << first;
    ASSERT_EQ(run({"convert", again, folder_.path("twice.toml")}).code, 0);
    EXPECT_EQ(file_contents(folder_.path("twice.toml")), file_contents(again)) << first;
    ++count;
  }
  EXPECT_GT(count, 40);
}

/// Meshes, height fields and robots lie in another folder than the scene that is written.
TEST_F(Convert, FilesAreFoundFromTheNewPlace) {
  const std::string scene = CARDAN_SOURCE_DIR "/tests/io/scenes/landscape.toml";
  std::filesystem::create_directories(folder_.path("deep/er"));
  const std::string deep = folder_.path("deep/er/landscape.toml");
  ASSERT_EQ(run({"convert", scene, deep}).code, 0);
  EXPECT_FALSE(says(file_contents(deep), "\"hill.pgm\""));
  const Outcome info = run({"info", deep});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_TRUE(says(run({"convert", scene, "-"}).out, "\"hill.pgm\""));
}

TEST_F(Convert, MistakesAreOneLine) {
  const std::string model = file(kModel, "arm.xml");
  EXPECT_TRUE(says(refusal(run({"convert", model, folder_.path("arm.step")})), "expected a file that ends in .toml"));
  EXPECT_TRUE(says(refusal(run({"convert", model, "--strict", folder_.path("arm.toml")})), "contact is not read"));
  EXPECT_TRUE(
      says(refusal(run({"convert", file("", "x.step"), folder_.path("arm.toml")})), "expected a file that ends in"));
  const std::string scene = file("cardan = 1\n", "s.toml");
  EXPECT_TRUE(says(refusal(run({"convert", scene, scene})), "expected two files"));
}

}  // namespace
}  // namespace cardan::test
