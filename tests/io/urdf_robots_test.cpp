// Whole robots, real and very long.
#include "cardan/io/urdf.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace cardan {
namespace {

TEST(UrdfRobots, LongChainsLoad) {
  std::string text = "<robot name=\"chain\"><link name=\"l0\"/>\n";
  constexpr int n = 5000;
  for (int i = 1; i <= n; ++i) {
    const std::string me = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name=\"l" + me + "\"/><joint name=\"j" + me + "\" type=\"revolute\"><parent link=\"l" + before +
            "\"/><child link=\"l" + me + "\"/></joint>\n";
  }
  const Model model = parse_urdf(text + "</robot>", "chain.urdf");
  EXPECT_EQ(model.bodies(), n);
  EXPECT_EQ(model.body_name(n), "l5000");
}

TEST(UrdfRobots, SharedRobotsLoad) {
  const std::filesystem::path folder = std::filesystem::path(CARDAN_SHARED_DATA) / "robots";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no robots in " << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    EXPECT_GT(load_urdf(entry.path().string()).nv(), 0) << entry.path();
  }
}

}  // namespace
}  // namespace cardan
