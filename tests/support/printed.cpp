#include "tests/support/printed.hpp"

#include "tests/support/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace cardan::test {
namespace {

constexpr const char* kRest = "...";
constexpr double kRounding = 1e-8, kAccuracy = 0.01;

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Tells whether a number begins here, and not inside of a word such as stone0.
bool begins_number(const char* text, bool is_inside_word) {
  if (is_inside_word) return false;
  if (*text == '-' || *text == '.') ++text;
  return std::isdigit(static_cast<unsigned char>(*text)) != 0;
}

bool agree(double a, double b) {
  const double larger = std::max(std::abs(a), std::abs(b));
  return larger < kRounding || std::abs(a - b) <= kAccuracy * larger;
}

}  // namespace

bool is_like(const std::string& shown, const std::string& printed) {
  const char *a = shown.c_str(), *b = printed.c_str();
  bool is_inside_word = false;
  while (true) {
    const bool blank_a = std::isspace(static_cast<unsigned char>(*a)) != 0;
    const bool blank_b = std::isspace(static_cast<unsigned char>(*b)) != 0;
    if (blank_a || blank_b) {
      while (std::isspace(static_cast<unsigned char>(*a)) != 0) ++a;
      while (std::isspace(static_cast<unsigned char>(*b)) != 0) ++b;
      if (blank_a != blank_b && *a != '\0' && *b != '\0') return false;
      is_inside_word = false;
      continue;
    }
    if (std::string(a) == kRest) return true;
    if (*a == '\0' || *b == '\0') return *a == *b;
    if (begins_number(a, is_inside_word) && begins_number(b, is_inside_word)) {
      char *end_a = nullptr, *end_b = nullptr;
      if (!agree(std::strtod(a, &end_a), std::strtod(b, &end_b))) return false;
      a = end_a;
      b = end_b;
    } else if (*a != *b) {
      return false;
    } else {
      ++a;
      ++b;
    }
    is_inside_word = is_word_character(a[-1]);
  }
}

bool is_printed(const std::string& shown, const std::string& printed, std::string& missing) {
  const std::vector<std::string> lines = lines_of(printed);
  for (const std::string& line : lines_of(shown)) {
    if (line == kRest) continue;
    if (std::none_of(lines.begin(), lines.end(), [&](const std::string& other) { return is_like(line, other); })) {
      missing = line;
      return false;
    }
  }
  return true;
}

}  // namespace cardan::test
