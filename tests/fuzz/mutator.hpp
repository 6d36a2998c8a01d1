// Damaged texts for the tests of readers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace cardan::test {

/// Damages text in the ways that files get damaged, and in some that only malice finds. Always the same sequence.
class Mutator {
 public:
  explicit Mutator(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::string operator()(std::string text) {
    for (std::size_t times = 1 + below(4); times > 0; --times) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (below(12)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2: text.erase(at, length); break;
      case 3: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 4: text.resize(at); break;
      case 5: text.insert(at, pieces_[below(pieces_.size())]); break;
      default: replace_word(text, at); break;
    }
  }

  /// What stands between two quotes, or the number here, becomes another piece.
  void replace_word(std::string& text, std::size_t at) {
    const auto begin = text.find_first_of("\"0123456789", at);
    if (begin == std::string::npos) return;
    const bool quote = text[begin] == '"';
    const auto end = quote ? text.find('"', begin + 1) : text.find_first_not_of("0123456789.e-", begin);
    if (end == std::string::npos) return;
    text.replace(begin + (quote ? 1 : 0), end - begin - (quote ? 1 : 0), pieces_[below(pieces_.size())]);
  }

  std::vector<std::string> pieces_;
  std::mt19937_64 random_{20240611};
};

inline void expect_one_line(const std::string& message, const std::string& prefix) {
  EXPECT_TRUE(message.starts_with(prefix)) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 2000u) << message;
}

}  // namespace cardan::test
