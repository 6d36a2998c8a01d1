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

TEST(Readme, FirstProgramIsTheExample) {
  const std::string readme = read("README.md"), open = "```cpp\n";
  const std::size_t start = readme.find(open);
  ASSERT_NE(start, std::string::npos);
  const std::size_t from = start + open.size(), to = readme.find("```", from);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(readme.substr(from, to - from), read("examples/first_steps.cpp"));
}

}  // namespace
