// Scenes by names: changed without parsing, and written back.
#include "cardan/io/scene_spec.hpp"
#include "cardan/io/internal/toml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace cardan {
namespace {

constexpr const char* kScene = R"(cardan = 1
gravity = [0, 0, -9.81]
[parameters]
length = 1.5
"odd name" = 2
[[body]]
name = "rod"
mass = "2*length"
com = [0, 0, "-length/2"]
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
limits = [[-inf, 2]]
[[body.shape]]
box = [0.1, 0.1, 1e-3]
[[force]]
type = "joint"
joint = "rod"
force = "\"quoted\" is no word\\n"
)";

/// Compares all but the places in the file; entries of a table may stand in another order if one is a table.
bool is_same(const io::TomlNode& a, const io::TomlNode& b) {
  const bool numbers = a.number == b.number || (std::isnan(a.number) && std::isnan(b.number));
  if (a.kind != b.kind || a.truth != b.truth || !numbers || a.text != b.text) return false;
  if (a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!is_same(a.items[i], b.items[i])) return false;
  for (const io::TomlEntry& entry : a.entries) {
    const auto other =
        std::find_if(b.entries.begin(), b.entries.end(), [&](const io::TomlEntry& e) { return e.key == entry.key; });
    if (other == b.entries.end() || !is_same(entry.value, other->value)) return false;
  }
  return true;
}

TEST(SceneSpec, EveryExampleIsWrittenBack) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    const SceneSpec spec = SceneSpec::load(entry.path().string());
    const std::string text = spec.to_toml();
    const SceneSpec again = SceneSpec::parse(text, entry.path().string());
    EXPECT_TRUE(is_same(spec.root(), again.root())) << entry.path();
    EXPECT_EQ(again.to_toml(), text) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 30);
}

TEST(SceneSpec, WritesOddNamesTextsAndNumbers) {
  const SceneSpec spec = SceneSpec::parse(kScene, "odd.toml");
  EXPECT_TRUE(is_same(spec.root(), SceneSpec::parse(spec.to_toml(), "odd.toml").root())) << spec.to_toml();
}

TEST(SceneSpec, BindsNewNumbersWithoutParsing) {
  std::string text = kScene;
  text.resize(text.find("[[force]]"));
  text.erase(text.find("\"odd name\""), 15);
  SceneSpec spec = SceneSpec::parse(text, "rod.toml");
  EXPECT_EQ(spec.parameters(), (std::vector<std::string>{"length"}));
  EXPECT_EQ(spec.bind().model.link(1).I.m, 3.0);
  SceneSpec longer = spec;
  longer.set("length", 2.0);
  EXPECT_EQ(longer.bind().model.link(1).I.m, 4.0);
  EXPECT_EQ(longer.value("length"), "2");
  EXPECT_EQ(longer.value("body.rod.mass"), "\"2*length\"");
  longer.set("body.rod.mass=7.25");
  EXPECT_EQ(longer.bind().model.link(1).I.m, 7.25);
  EXPECT_EQ(spec.bind().model.link(1).I.m, 3.0);  // a copy changes alone
  EXPECT_EQ(spec.value("body.rod.com"), "[0, 0, \"-length/2\"]");
}

/// Tables on the way to a value are made where the table of keys has them, and nowhere else.
TEST(SceneSpec, AddsTablesThatAreMissing) {
  std::string text = kScene;
  text.resize(text.find("[[force]]"));
  text.erase(text.find("\"odd name\""), 15);
  SceneSpec spec = SceneSpec::parse(text, "rod.toml");
  spec.set("initial.q.rod=0.25");
  spec.set("body.rod.joint.bearing.mu=0.1");
  spec.set("body.rod.joint.bearing.radius", 0.02);
  spec.set("simulation.step=0.5");
  EXPECT_EQ(spec.value("initial.q"), "{ rod = 0.25 }");
  const Scene scene = spec.bind();
  EXPECT_EQ(scene.initial.q[0], 0.25);
  ASSERT_EQ(scene.bearings.size(), 1u);
  EXPECT_EQ(scene.bearings[0].mu, 0.1);
  spec.set("initial.q.a.b=1");  // names of joints may have dots
  EXPECT_EQ(spec.value("initial.q"), "{ rod = 0.25, \"a.b\" = 1 }");
  for (const char* wrong : {"body.bar.mass=1", "initail.q.rod=1", "body.rod.shape.1.at.xyz=[0,0,0]", "gravity.x.y=1",
                            "body.rod.mass.x=1", "loop.a.name=1"})
    EXPECT_THROW(spec.set(wrong), ModelError) << wrong;
}

TEST(SceneSpec, NamesWhatIsNotThere) {
  const SceneSpec spec = SceneSpec::parse(kScene, "rod.toml");
  const auto complaint = [&](const std::string& name) {
    try {
      return spec.value(name);
    } catch (const ModelError& problem) {
      return std::string(problem.what());
    }
  };
  EXPECT_NE(complaint("lenght").find("did you mean \"length\"?"), std::string::npos) << complaint("lenght");
  EXPECT_NE(complaint("body.rod.mas").find("did you mean \"mass\"?"), std::string::npos) << complaint("body.rod.mas");
}

}  // namespace
}  // namespace cardan
