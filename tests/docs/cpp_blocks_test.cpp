// Compiles the C++ of the documents. All blocks become one source: what they include stands on top, and each block is
// the body of a function (a program, with `int main`, is a namespace of its own). The function has what the documents
// take for granted as parameters.
#include "tests/io/temporary_folder.hpp"
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cardan::test {

namespace {

constexpr const char* kTop = R"(
#include "cardan/model/state.hpp"
#include "cardan/model/workspace.hpp"
#include <vector>
)";
constexpr const char* kGiven = R"(
void block(const cardan::Model& model, cardan::Workspace<double>& workspace, cardan::State& state, double t,
           std::vector<double>& q, std::vector<double>& v, std::vector<double>& a, std::vector<double>& qdd,
           std::vector<double>& tau) {
)";

/// Appends a block to the includes on top and the code below, so that messages name its lines in the document.
void append(const CodeBlock& block, int number, std::string& top, std::string& code) {
  const bool is_program = block.text.find("int main(") != std::string::npos;
  const bool is_qualified = block.text.find("cardan::") != std::string::npos;
  code += "namespace block_" + std::to_string(number) + " {\n";
  if (!is_qualified) code += "using namespace cardan;\n";
  if (!is_program) code += std::string(kGiven) + "{\n";
  code += "#line " + std::to_string(block.line + 1) + " \"" + block.file.string() + "\"\n";
  for (const std::string& line : lines_of(block.text)) {
    const bool is_include = line.starts_with("#include");
    if (is_include) top += line + "\n";
    code += (is_include ? "" : line) + "\n";
  }
  code += is_program ? "}\n" : "}\n}\n}\n";
}

TEST(CppBlocks, Compile) {
  std::string top = kTop, code;
  int number = 0;
  for (const CodeBlock& block : code_blocks("cpp"))
    if (!block.is_fragment()) append(block, ++number, top, code);
  EXPECT_GT(number, 5);
  const TemporaryFolder folder;
  const std::string source = folder.write("blocks.cpp", top + code), messages = folder.path("messages");
  const std::string command =
      std::string(CARDAN_COMPILE) + " -w -fsyntax-only -I" CARDAN_SOURCE_DIR " '" + source + "' 2>'" + messages + "'";
  const int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << std::ifstream(messages).rdbuf();
}

TEST(CppBlocks, TheFirstProgramIsTheExample) {
  std::vector<CodeBlock> programs = code_blocks("cpp");
  std::erase_if(programs, [](const CodeBlock& block) { return block.text.find("load_urdf(") == std::string::npos; });
  ASSERT_FALSE(programs.empty());
  EXPECT_EQ(programs.front().file.filename(), "10_in_your_program.md");
  EXPECT_EQ(programs.front().text, source_file("examples/first_steps.cpp"));
}

}  // namespace

}  // namespace cardan::test
