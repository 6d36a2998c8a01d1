// Numbers and names in text, and the wording of messages.
#include "cardan/io/internal/text.hpp"

#include <gtest/gtest.h>

namespace cardan::io {
namespace {

TEST(Text, Numbers) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("+1.5e-3"), 1.5e-3);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("0.1"), 0.1);
  for (const char* none : {"", "+", "-", ".", "1,5", "1 2", " 1", "1 ", "nan", "inf", "-inf", "1e999", "0x10", "1f",
                           "++1", "+-1", "one", "1e"})
    EXPECT_FALSE(parse_number(none)) << none;
}

TEST(Text, Words) {
  EXPECT_EQ(words("  a\tbc\n d "), (std::vector<std::string_view>{"a", "bc", "d"}));
  EXPECT_TRUE(words(" \n").empty());
}

TEST(Text, NearestName) {
  const std::vector<std::string> types{"revolute", "prismatic", "fixed"};
  EXPECT_EQ(nearest_name("revolut", types), "revolute");
  EXPECT_EQ(nearest_name("Fixed", types), "fixed");
  EXPECT_EQ(nearest_name("prsimatic", types), "prismatic");
  EXPECT_EQ(nearest_name("ball", types), "");
  EXPECT_EQ(nearest_name("", types), "");
  EXPECT_EQ(nearest_name("x", {"y"}), "");  // nothing of it is left
  EXPECT_EQ(did_you_mean("fixd", types), ": did you mean \"fixed\"?");
  EXPECT_EQ(did_you_mean("ball", types), "");
}

TEST(Text, ForeignTextStaysOnOneLineAndShort) {
  EXPECT_EQ(in_quotes("a\nb\x01"), "\"a?b?\"");
  EXPECT_EQ(in_quotes(std::string(60, 'x')).size(), 62u);
  EXPECT_EQ(in_quotes(std::string(1000, 'x')), "\"" + std::string(60, 'x') + "...\"");
  // not cut inside a character
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "ü" + "y"), "\"" + std::string(59, 'x') + "...\"");
}

TEST(Text, Lines) {
  EXPECT_EQ(line_of("a\nb\nc", 0), 1);
  EXPECT_EQ(line_of("a\nb\nc", 2), 2);
  EXPECT_EQ(line_of("a\nb\nc", 100), 3);
}

}  // namespace
}  // namespace cardan::io
