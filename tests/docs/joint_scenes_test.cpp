// docs/joints has a small scene for every joint type, which docs/joints.md shows: all run, and each moves by its type.
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/load.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cardan::test {
namespace {

TEST(JointScenes, EveryTypeHasOneThatRunsAndIsShown) {
  const std::string page = source_file("docs/joints.md");
  std::vector<std::string> types = io::variant_names("joint");
  ASSERT_GE(types.size(), 23u);
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CARDAN_SOURCE_DIR) + "/docs/joints")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string(), text = source_file("docs/joints/" + name + ".toml");
    std::erase_if(types, [&](const std::string& type) {
      return text.find("type = \"" + type + "\"") != std::string::npos && name.starts_with(type);
    });
    EXPECT_NE(page.find("(joints/" + name + ".toml)"), std::string::npos) << name << " is not in docs/joints.md";
    Scene scene = load(entry.path().string());
    scene.settings.duration = 0.2;
    const Trajectory run = simulate(scene);
    EXPECT_GT(run.size(), 2) << name;
  }
  EXPECT_TRUE(types.empty()) << "no scene in docs/joints: " << types.front();
}

}  // namespace
}  // namespace cardan::test
