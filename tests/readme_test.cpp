// The program in the README is the one in examples/, so what a newcomer copies is what the tests run.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

std::string read(const std::string& path) {
  std::ifstream file(std::string(CARDAN_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What the first block of a language in the README contains.
std::string first_block(const std::string& language) {
  const std::string readme = read("README.md"), open = "```" + language + "\n";
  const std::size_t start = readme.find(open);
  EXPECT_NE(start, std::string::npos) << language;
  if (start == std::string::npos) return "";
  const std::size_t from = start + open.size();
  return readme.substr(from, readme.find("```", from) - from);
}

TEST(Readme, FirstProgramIsTheExample) { EXPECT_EQ(first_block("cpp"), read("examples/first_steps.cpp")); }

TEST(Readme, InventedJointIsThatOfTheExample) {
  const std::string example = read("examples/knee.toml");
  std::istringstream lines(first_block("toml"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_NE(example.find(line + "\n"), std::string::npos) << line;
  EXPECT_GT(count, 3);
}

}  // namespace
