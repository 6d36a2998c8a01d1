// Every code block of the documents is something that a test here looks at, or is marked as a fragment.
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cardan::test {

namespace {

TEST(Markdown, EveryLanguageIsTestedOrMarked) {
  // those of Python: python/tests/test_docs.py
  const std::set<std::string> tested{"cpp", "toml", "sh", "cmake", "python"};
  for (const CodeBlock& block : code_blocks()) {
    const bool is_tested =
        block.language == "python" ? block.place().starts_with("docs/python.md") : tested.contains(block.language);
    EXPECT_TRUE(block.language.empty() || is_tested || block.is_fragment())
        << block.place() << ": no test knows ```" << block.language << "; mark the block <!-- fragment -->";
    for (const std::string& line : lines_of(block.text))
      EXPECT_FALSE(block.language.empty() && line.starts_with("cardan "))
          << block.place() << ": a command belongs into a block ```sh, where it is run";
  }
}

TEST(Markdown, PackageLinesAreThoseOfTheTestedProject) {
  const std::string project = source_file("tests/package/CMakeLists.txt");
  for (const CodeBlock& block : code_blocks("cmake"))
    for (const std::string& line : lines_of(block.text))
      EXPECT_NE(project.find(line.substr(0, line.find('('))), std::string::npos) << block.place() << ": " << line;
}

TEST(Markdown, EveryExampleHasALine) {
  const std::string list = source_file("examples/README.md");
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CARDAN_SOURCE_DIR) + "/examples")) {
    const std::string name = entry.path().filename().string();
    if (name != "README.md") EXPECT_NE(list.find("](" + name + ")"), std::string::npos) << name;
  }
}

}  // namespace

}  // namespace cardan::test
