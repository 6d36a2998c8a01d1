// Counts words: what newcomers read first has short sentences and short paragraphs.
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace cardan::test {
namespace {

constexpr double kMeanSentence = 17.0;
constexpr int kLongestParagraph = 90;

/// Leaves the words of a line: links by their text, code and formulas as one word, no comments, no emphasis.
std::string plain(std::string line) {
  for (const auto& [pattern, instead] : {std::pair{R"(<!--.*?-->)", ""},
                                         {R"(!?\[([^\]]*)\]\([^)]*\))", "$1"},
                                         {R"(`[^`]*`)", "code"},
                                         {R"(\$\$?[^$]*\$\$?)", "formula"},
                                         {R"(<[^>]*>)", ""},
                                         {R"([*_]{1,2})", ""}})
    line = std::regex_replace(line, std::regex(pattern), instead);
  return line;
}

/// Gives the paragraphs of a page, list items among them; not headings, tables, blocks and directives.
std::vector<std::string> paragraphs_of(const std::filesystem::path& file) {
  std::vector<std::string> paragraphs;
  bool is_block = false, is_open = false;
  const std::regex item(R"(^\s*([-*]|\d+\.) )");
  for (const std::string& line : lines_of(source_file(std::filesystem::relative(file, CARDAN_SOURCE_DIR)))) {
    if (line.starts_with("```")) is_block = !is_block;
    const bool is_apart = is_block || line.starts_with("```") || line.starts_with("#") || line.starts_with("|") ||
                          line.starts_with(":") || line.starts_with("<!--") || line.starts_with("$$") ||
                          line.starts_with("![") || line.starts_with("[![");
    if (line.empty() || is_apart) {
      is_open = false;
      continue;
    }
    if (!is_open || std::regex_search(line, item)) paragraphs.emplace_back();
    is_open = true;
    paragraphs.back() += " " + plain(std::regex_replace(line, item, ""));
  }
  return paragraphs;
}

int words_of(const std::string& text) {
  std::istringstream in(text);
  int count = 0;
  for (std::string word; in >> word;)
    count += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) != 0; }) ? 1 : 0;
  return count;
}

int sentences_of(const std::string& text) {
  const std::regex end(R"-([.!?][)"']*(\s|$)|:\s*$)-");
  const auto count = std::distance(std::sregex_iterator(text.begin(), text.end(), end), std::sregex_iterator());
  return std::max(1, static_cast<int>(count));
}

TEST(ReadingEase, SentencesAndParagraphsAreShort) {
  int pages = 0;
  for (const std::filesystem::path& file : documents()) {
    const std::string folder = file.parent_path().filename().string();
    if (folder != "learn" && folder != "howto" && file != std::filesystem::path(CARDAN_SOURCE_DIR) / "README.md")
      continue;
    ++pages;
    int words = 0, sentences = 0;
    for (const std::string& paragraph : paragraphs_of(file)) {
      EXPECT_LE(words_of(paragraph), kLongestParagraph) << file << ":" << paragraph;
      words += words_of(paragraph);
      sentences += sentences_of(paragraph);
    }
    EXPECT_LE(words, kMeanSentence * sentences)
        << file << ": " << static_cast<double>(words) / sentences << " words a sentence";
  }
  EXPECT_GE(pages, 25);
}

TEST(ReadingEase, CountsWordsAndSentences) {
  EXPECT_EQ(words_of(plain("A [link](x.md) and `code here`, 0.5 m.")), 6);
  EXPECT_EQ(sentences_of("One is 0.5 m long. Two (see below) is not! Three?"), 3);
  EXPECT_EQ(sentences_of("no full stop"), 1);
}

}  // namespace
}  // namespace cardan::test
