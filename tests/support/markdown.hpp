// The code blocks of README.md and docs/*.md. docs/testing.md says what becomes of each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cardan::test {

struct CodeBlock {
  std::filesystem::path file;
  int line = 0;                // of its first fence
  std::string language, text;  // the language is empty where the fence names none
  std::string marker;          // of the comment <!-- marker --> in the line before the block

  /// "docs/loops.md:9", as compilers and editors write it.
  std::string place() const;
  bool is_fragment() const { return marker == "fragment"; }
};

/// Reads all blocks, file by file. Throws where a fence stays open.
std::vector<CodeBlock> code_blocks();
/// Reads those of one language.
std::vector<CodeBlock> code_blocks(const std::string& language);

std::vector<std::string> lines_of(const std::string& text);
std::string source_file(const std::string& path);

}  // namespace cardan::test
