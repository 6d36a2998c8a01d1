// Runs the commands of the documents: lines that begin with `cardan` or `build/bin/cardan`, in a folder from which the
// examples are seen as from the project's own. Lines that begin with `make` must name targets of the Makefile.
#include "tests/io/temporary_folder.hpp"
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

namespace cardan::test {

namespace {

void run(const std::string& line, const CodeBlock& block, const TemporaryFolder& folder) {
  const std::string messages = folder.path("messages");
  const std::string command = "cd '" + folder.path("") + "' && PATH=build/bin:$PATH && { " + line +
                              "\n} >/dev/null 2>'" + messages + "' </dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << block.place() << ": " << line << "\n" << std::ifstream(messages).rdbuf();
}

void expect_make_targets(const std::string& line, const CodeBlock& block) {
  const std::string makefile = "\n" + source_file("Makefile");
  std::istringstream words(line.substr(0, line.find('#')));
  std::string word;
  words >> word;
  while (words >> word)
    if (word.find('=') == std::string::npos)
      EXPECT_NE(makefile.find("\n" + word + ":"), std::string::npos) << block.place() << ": no target " << word;
}

TEST(ShellBlocks, Run) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("build/bin"));
  std::filesystem::create_symlink(CARDAN_COMMAND, folder.path("build/bin/cardan"));
  std::filesystem::create_symlink(std::string(CARDAN_SOURCE_DIR) + "/examples", folder.path("examples"));
  const std::set<std::string> not_run{"cmake", "ctest", "apt", "git"};  // they build, install or need a network
  int commands = 0;
  for (const CodeBlock& block : code_blocks("sh")) {
    if (block.is_fragment()) continue;
    for (const std::string& line : lines_of(block.text)) {
      std::istringstream words(line);
      std::string program;
      if (!(words >> program) || program.starts_with("#")) continue;
      if (program == "cardan" || program == "build/bin/cardan") {
        run(line, block, folder);
        ++commands;
      } else if (program == "make") {
        expect_make_targets(line, block);
      } else {
        EXPECT_TRUE(not_run.contains(program)) << block.place() << ": no test knows the command " << program;
      }
    }
  }
  EXPECT_GT(commands, 4);
}

}  // namespace

}  // namespace cardan::test
