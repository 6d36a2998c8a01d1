#include "tests/support/markdown.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cardan::test {

namespace {

std::string place_of(const std::filesystem::path& file, int line) {
  return std::filesystem::relative(file, CARDAN_SOURCE_DIR).string() + ":" + std::to_string(line);
}

}  // namespace

std::string CodeBlock::place() const { return place_of(file, line); }

std::string CodeBlock::saved_as() const {
  const std::string file_word = "file ";
  return marker.starts_with(file_word) ? marker.substr(file_word.size()) : "";
}

std::string Claim::place() const { return place_of(file, line); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string source_file(const std::string& path) {
  std::ifstream in(std::filesystem::path(CARDAN_SOURCE_DIR) / path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

namespace {

/// What stands between <!-- and -->, or nothing.
std::string marker_of(const std::string& line) {
  const std::string open = "<!-- ", close = " -->";
  if (!line.starts_with(open) || !line.ends_with(close)) return "";
  return line.substr(open.size(), line.size() - open.size() - close.size());
}

void read_blocks(const std::filesystem::path& file, std::vector<CodeBlock>& blocks) {
  const std::string fence = "```";
  std::string before;
  int number = 0;
  bool inside = false;
  for (const std::string& line : lines_of(source_file(std::filesystem::relative(file, CARDAN_SOURCE_DIR)))) {
    ++number;
    if (line.starts_with(fence)) {
      inside = !inside;
      if (inside) blocks.push_back({file, number, line.substr(fence.size()), "", marker_of(before)});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
    before = line;
  }
  if (inside) throw std::runtime_error(blocks.back().place() + ": the block has no end");
}

}  // namespace

std::vector<std::filesystem::path> documents() {
  const std::filesystem::path root = CARDAN_SOURCE_DIR;
  std::vector<std::filesystem::path> files;
  const auto add = [&](const auto& entry) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  };
  for (const auto& folder : {root, root / "examples"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) add(entry);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs")) add(entry);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<CodeBlock> code_blocks_of(const std::filesystem::path& file) {
  std::vector<CodeBlock> blocks;
  read_blocks(file, blocks);
  return blocks;
}

std::vector<CodeBlock> code_blocks() {
  std::vector<CodeBlock> blocks;
  for (const auto& file : documents()) read_blocks(file, blocks);
  return blocks;
}

std::vector<CodeBlock> code_blocks(const std::string& language) {
  std::vector<CodeBlock> blocks = code_blocks();
  std::erase_if(blocks, [&](const CodeBlock& block) { return block.language != language; });
  return blocks;
}

std::vector<Claim> claims_of(const std::filesystem::path& file) {
  std::vector<Claim> claims;
  std::string paragraph;
  int number = 0;
  bool is_open = false;  // the paragraph may go on
  for (const std::string& line : lines_of(source_file(std::filesystem::relative(file, CARDAN_SOURCE_DIR)))) {
    ++number;
    const std::string marker = marker_of(line);
    if (marker.find(" is ") != std::string::npos || marker.find(" bounds ") != std::string::npos) {
      claims.push_back({file, number, marker, paragraph});
    } else if (line.empty()) {
      is_open = false;
    } else {
      paragraph = is_open ? paragraph + "\n" + line : line;
      is_open = true;
    }
  }
  return claims;
}

}  // namespace cardan::test
