// The documents: README.md, CONTRIBUTING.md, all of docs/ and examples/README.md, their code blocks and what they claim
// of runs. docs/testing.md says what becomes of each.
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
  /// The file that the reader is told to save the block as: <!-- file NAME -->; else nothing.
  std::string saved_as() const;
};

/// A comment that stands below a paragraph and says where a number of it comes from: <!-- 0.295 is last slid of run.csv
/// -->.
struct Claim {
  std::filesystem::path file;
  int line = 0;
  std::string text;       // between <!-- and -->
  std::string paragraph;  // the text before it

  std::string place() const;
};

/// Gives the documents, sorted.
std::vector<std::filesystem::path> documents();

/// Reads all blocks, file by file. Throws where a fence stays open.
std::vector<CodeBlock> code_blocks();
/// Reads those of one language.
std::vector<CodeBlock> code_blocks(const std::string& language);
/// Reads those of one file.
std::vector<CodeBlock> code_blocks_of(const std::filesystem::path& file);

/// Reads what a document claims of its runs.
std::vector<Claim> claims_of(const std::filesystem::path& file);

std::vector<std::string> lines_of(const std::string& text);
std::string source_file(const std::string& path);

}  // namespace cardan::test
