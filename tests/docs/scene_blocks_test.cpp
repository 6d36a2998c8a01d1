// Reads the scenes of the documents. A block with the line `cardan = 1` is a whole scene; one marked
// <!-- continues --> is appended to the scene before it in the same document, and one marked <!-- from FILE --> shows
// lines of that file. A robot file is looked for among the examples.
#include "cardan/io/load.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

namespace cardan::test {

namespace {

bool is_whole_scene(const CodeBlock& block) { return block.text.find("cardan = 1") != std::string::npos; }

void expect_lines_of(const std::string& file, const CodeBlock& block) {
  const std::string text = "\n" + source_file(file);
  for (const std::string& line : lines_of(block.text))
    EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << block.place() << ": not in " << file << ": " << line;
}

TEST(SceneBlocks, AreRead) {
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CARDAN_SOURCE_DIR) + "/examples"))
    if (entry.path().extension() == ".urdf")
      std::filesystem::copy_file(entry.path(), folder.path(entry.path().filename().string()));
  const std::string from = "from ";
  std::string scene;
  std::filesystem::path document;
  int scenes = 0;
  for (const CodeBlock& block : code_blocks("toml")) {
    if (block.is_fragment()) continue;
    // what a reader saves or appends: shell_blocks_test.cpp runs it
    if (block.marker.starts_with("append ") || !block.saved_as().empty()) continue;
    if (block.marker.starts_with(from)) {
      expect_lines_of(block.marker.substr(from.size()), block);
      continue;
    }
    if (is_whole_scene(block)) {
      scene = block.text;
    } else if (block.marker == "continues" && block.file == document) {
      scene += block.text;
    } else {
      ADD_FAILURE() << block.place() << ": not a whole scene; mark it <!-- continues -->, <!-- from FILE --> or "
                    << "<!-- fragment -->";
      continue;
    }
    document = block.file;
    ++scenes;
    EXPECT_NO_THROW(load(folder.write("scene.toml", scene))) << block.place();
  }
  EXPECT_GT(scenes, 3);
}

}  // namespace

}  // namespace cardan::test
