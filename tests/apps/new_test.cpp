// `cardan new`: every scene to begin with runs to its end without a warning.
#include "tests/apps/scene_runs.hpp"

#include <filesystem>

namespace cardan::test {
namespace {

class New : public SceneRuns {
 protected:
  std::vector<std::string> names() const {
    std::istringstream lines(run({"new", "--list"}).out);
    std::vector<std::string> out;
    for (std::string line; std::getline(lines, line);) out.push_back(line.substr(0, line.find(' ')));
    return out;
  }
};

TEST_F(New, EverySceneRunsWithoutAWarning) {
  ASSERT_GE(names().size(), 6u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/apps/templates"))
    files += entry.path().extension() == ".toml" ? 1u : 0u;
  EXPECT_EQ(names().size(), files);
  for (const std::string& name : names()) {
    const std::string path = folder_.path(name + ".toml");
    const Outcome written = run({"new", path, "--from", name});
    ASSERT_EQ(written.code, 0) << written.err;
    const std::string text = file_contents(path);
    EXPECT_EQ(text, file_contents(CARDAN_SOURCE_DIR "/apps/templates/" + name + ".toml"));
    EXPECT_GE(std::count(text.begin(), text.end(), '#'), 5) << name;
    const Outcome done = run({"simulate", path, "--json"});
    ASSERT_EQ(done.code, 0) << name << done.err;
    EXPECT_EQ(done.err, "") << name;
    const Json summary = Json::parse(done.out);
    EXPECT_EQ(summary.at("warnings"), Json::array()) << name;
    EXPECT_EQ(summary.at("simulated_time"), summary.at("duration")) << name;
    const Outcome info = run({"info", path});
    EXPECT_FALSE(says(info.out + info.err, "warning")) << info.out;
  }
}

TEST_F(New, AFileThatIsThereStays) {
  const std::string path = folder_.write("mine.toml", "mine");
  EXPECT_TRUE(says(refusal(run({"new", path, "--from", "pendulum"})), "is there already: --force replaces it"));
  EXPECT_EQ(file_contents(path), "mine");
  ASSERT_EQ(run({"new", path, "--from", "pendulum", "--force"}).code, 0);
  EXPECT_TRUE(says(file_contents(path), "cardan = 1"));
}

TEST_F(New, ANameIsAFileToo) {
  ASSERT_EQ(run({"new", folder_.path("rope.toml")}).code, 0);
  EXPECT_EQ(file_contents(folder_.path("rope.toml")), file_contents(CARDAN_SOURCE_DIR "/apps/templates/rope.toml"));
}

TEST_F(New, MistakesAreOneLine) {
  EXPECT_TRUE(says(refusal(run({"new", "pendulun"})), "unknown scene \"pendulun\": did you mean \"pendulum\"?"));
  EXPECT_TRUE(says(refusal(run({"new", "zzzzzz"})), "expected arm, four-bar, "));
  EXPECT_TRUE(says(refusal(run({"new", folder_.path("x.urdf"), "--from", "stack"})), "ends in .toml"));
  EXPECT_EQ(run({"new"}).code, 2);
  EXPECT_EQ(run({"new", "-", "--from", "stack"}).out, file_contents(CARDAN_SOURCE_DIR "/apps/templates/stack.toml"));
  EXPECT_TRUE(says(run({"new", "--help"}).out, "Example:"));
}

}  // namespace
}  // namespace cardan::test
