// Every broken scene gives one clear line: file, line, column, key, what was expected.
#include "tests/io/broken_scenes.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/io/broken_urdfs.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace cardan {
namespace {

using test::kSoundScene;
using test::replaced;

std::string complaint(const std::string& text) {
  try {
    Scene scene = parse_scene(text, "dir/bench.toml");
    assemble(scene);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(BrokenScenes, TheSoundSceneIsRead) { EXPECT_EQ(complaint(kSoundScene), ""); }

TEST(BrokenScenes, AreOneLineWithFileLineAndKey) {
  const auto all = test::broken_scenes();
  EXPECT_GE(all.size(), 60u);
  std::printf("    %zu broken scenes\n", all.size());
  for (const test::BrokenScene& broken : all) {
    const std::string message = complaint(broken.text);
    EXPECT_TRUE(message.starts_with("scene: dir/bench.toml:" + std::to_string(broken.line) + ":")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : broken.says)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\n  does not say: " << part;
  }
}

TEST(BrokenScenes, HaveTheDocumentedForm) {
  EXPECT_EQ(complaint(replaced(kSoundScene, "axis = [0, 1, 0]", "axis = [0, 1]")),
            "scene: dir/bench.toml:12:8: body \"arm\": joint: axis: expected 3 numbers, found 2");
  EXPECT_EQ(complaint(replaced(kSoundScene, "r*sin(w)) * rotz(u)", "r*sin(y)) * rotz(u)")),
            "scene: dir/bench.toml:34:46: body \"cam\": joint: transform: unknown name \"y\"");
}

/// The column counts characters, and points into the text only where text and file have the same characters.
TEST(BrokenScenes, PointIntoTextsWherePossible) {
  const auto with_transform = [](const std::string& text) {
    return complaint(replaced(kSoundScene, "\"trans(c*cos(u), c*sin(u), r*sin(w)) * rotz(u)\"", text));
  };
  EXPECT_TRUE(with_transform("\"rotz(u) * rotx(y)\"").starts_with("scene: dir/bench.toml:34:29:"));
  EXPECT_TRUE(with_transform("'rotz(u) * rotx(y)'").starts_with("scene: dir/bench.toml:34:29:"));
  EXPECT_TRUE(with_transform("\"rotz(u)\\u0020* rotx(y)\"").starts_with("scene: dir/bench.toml:34:13:"));
  EXPECT_TRUE(with_transform("\"\"\"rotz(u) *\nrotx(y)\"\"\"").starts_with("scene: dir/bench.toml:34:13:"));
  EXPECT_NE(complaint(replaced(kSoundScene, "{ R = 1.0, r = 0.25 }", "{ \"\u00e4\" = 1 }")).find(":32:"),
            std::string::npos);
}

TEST(BrokenScenes, FilesThatAreNone) {
  const test::TemporaryFolder folder;
  try {
    load_scene(folder.path("none.toml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.what(), "scene: " + folder.path("none.toml") + ": expected a file, found none of this name");
  }
}

TEST(BrokenScenes, EmptyAndForeignText) {
  EXPECT_EQ(complaint(""), "scene: dir/bench.toml:1:1: expected the key \"cardan\", found none");
  EXPECT_NE(complaint("<robot/>").find(":1:1: expected TOML"), std::string::npos);
  // letters that a table of toml++ promises never to be asked for
  for (const char* letter : {"\u00e9", "\u00a1", "\u0499"})
    EXPECT_NE(complaint(std::string("cardan = 1\nmass") + letter + " = 1\n").find(":2:5: expected TOML"),
              std::string::npos);
  EXPECT_NE(complaint(std::string("cardan = 1\n\0", 12)).find("TOML"), std::string::npos);
  EXPECT_NE(complaint("cardan = 1\nname = \"\xff\xfe\"").find("TOML"), std::string::npos);
}

/// What only malice writes must be refused quickly and in few words.
TEST(BrokenScenes, HostileTextIsCheap) {
  const auto many = static_cast<std::size_t>(test::trials(10'000'000));
  std::string nested_keys = "a", helpers, sum = "0";
  for (int i = 0; i < 200'000; ++i) nested_keys += ".a";
  std::string many_texts;  // on one line
  for (int i = 0; i < 400'000; ++i) many_texts += "\"a\",";
  std::string layers = "c = \"x39_0\"\n";  // each helper a sum over all of the layer before
  for (int layer = 0; layer < 40; ++layer)
    for (int i = 0; i < 40; ++i) {
      layers += "x" + std::to_string(layer) + "_" + std::to_string(i) + " = \"sin(u";
      for (int j = 0; layer > 0 && j < 40; ++j)
        layers += "+" + std::to_string((i * j) % 7 + 2) + "*x" + std::to_string(layer - 1) + "_" + std::to_string(j);
      layers += ")\"\n";
    }
  for (int i = 0; i < 5000; ++i) helpers += "a" + std::to_string(i) + " = \"a" + std::to_string(i + 1) + "*u\"\n";
  while (sum.size() < 19'900) sum += "+sin(u)*cos(w*u)^3/(2+u)";
  const std::string to_replace = "trans(c*cos(u), c*sin(u), r*sin(w)) * rotz(u)";
  const auto with_helpers = [&to_replace](const std::string& text) {
    const std::string without = replaced(kSoundScene, "let = { c = \"R + r*cos(w)\" }", "");
    return replaced(without, to_replace + "\"", to_replace + "\"\n[body.joint.let]\n" + text);
  };
  const std::string texts[]{
      std::string(many, '['),
      "cardan = " + std::string(many, '['),
      "cardan = " + std::string(many / 2, '[') + std::string(many / 2, ']'),
      "cardan = " + std::string(many, '{'),
      nested_keys + " = 1",
      "x = {k = \"\"\"a\"\"\"\", " + nested_keys + " = 1}",  // a long text may end in four quotes
      "x = {k = '''a'''', " + nested_keys + " = 1}",
      "body = [" + many_texts + "0]",
      "[" + nested_keys + "]",
      "cardan = [" + std::string(many / 10, ',') + "]",
      "cardan = 1\nbody = [" +
          [] {
            std::string zeros;
            for (int i = 0; i < 1'500'000; ++i) zeros += "0,";
            return zeros;
          }() +
          "]",
      replaced(kSoundScene, to_replace, std::string(15'000, '(')),
      replaced(kSoundScene, to_replace, std::string(1'000'000, '(')),
      replaced(kSoundScene, to_replace, "rotz(" + std::string(10'000, '-') + "u)"),
      with_helpers("c = \"a0\"\n" + helpers),
      with_helpers(layers),
      replaced(kSoundScene, "\"bench\"", "\"" + std::string(many / 2, 'x') + "\""),
  };
  const auto quickly = [](const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    const std::string message = complaint(text);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, test::kPartOfTime < 1.0 ? 100.0 : 20.0) << text.substr(0, 60);  // sanitizers are slow
    return message;
  };
  for (const std::string& text : texts) {
    const std::string message = quickly(text);
    EXPECT_TRUE(message.starts_with("scene: dir/bench.toml:")) << text.substr(0, 60) << "\n" << message;
    EXPECT_LT(message.size(), 1000u);
  }
  // long, but sound
  EXPECT_EQ(quickly(replaced(kSoundScene, "rotz(u)\"", "rotz(" + sum + ")\"")), "");
}

}  // namespace
}  // namespace cardan
