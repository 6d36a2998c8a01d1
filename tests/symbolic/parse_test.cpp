// The expression language: values against the compiler's own arithmetic, and every kind of error with its place.
#include "cardan/symbolic/parse.hpp"

#include "cardan/symbolic/graph.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace cardan {
namespace {

struct Parse : ::testing::Test {
  Graph graph;
  Symbols symbols{{"u", graph.input(0)}, {"v", graph.input(1)}, {"R", Expr(2.0)}};
  double u = 0.3, v = -0.7;

  double value(const char* text) {
    const Expr e[] = {parse_expression(text, symbols)};
    return evaluate(graph, e, std::vector<double>{u, v})[0];
  }
  std::string error(const std::string& text) {
    try {
      parse_expression(text, symbols);
    } catch (const ParseError& e) {
      return std::to_string(e.column) + ": " + e.what();
    }
    return "accepted";
  }
};

TEST_F(Parse, Arithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4.0);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(value("2^-2"), 0.25);
  EXPECT_DOUBLE_EQ(value("u^0.5"), std::sqrt(u));
  EXPECT_NEAR(value("u^1.3"), std::pow(u, 1.3), 1e-15);
  EXPECT_DOUBLE_EQ(value("u - v - 1"), u - v - 1.0);
  EXPECT_DOUBLE_EQ(value("-(-u)"), u);
  EXPECT_DOUBLE_EQ(value("1.5e-3 + .5"), 0.5015);
  EXPECT_DOUBLE_EQ(value("R + 0.3*cos(v)*sin(u)"), 2.0 + 0.3 * std::cos(v) * std::sin(u));
  EXPECT_DOUBLE_EQ(value("2*pi"), 2.0 * std::numbers::pi);
}

TEST_F(Parse, Functions) {
  EXPECT_DOUBLE_EQ(value("tan(u) + asin(u) + acos(u) + atan(u)"),
                   std::tan(u) + std::asin(u) + std::acos(u) + std::atan(u));
  EXPECT_DOUBLE_EQ(value("atan2(u, v)"), std::atan2(u, v));
  EXPECT_DOUBLE_EQ(value("exp(u)*log(u) + abs(v)"), std::exp(u) * std::log(u) + 0.7);
  EXPECT_DOUBLE_EQ(value("sinh(u) + cosh(u) + tanh(u)"), std::sinh(u) + std::cosh(u) + std::tanh(u));
  EXPECT_DOUBLE_EQ(value("min(u, v) + 10*max(u, v)"), v + 10.0 * u);
}

TEST_F(Parse, Choices) {
  EXPECT_EQ(value("if(u < v, 1, 2)"), 2.0);
  EXPECT_EQ(value("if(u > v, 1, 2)"), 1.0);
  EXPECT_EQ(value("if(u - u <= 0*v, 1, 2)"), 1.0);
  EXPECT_EQ(value("if(u >= u, 1, 2)"), 1.0);
  EXPECT_EQ(value("if(u > u, 1, 2)"), 2.0);
}

TEST_F(Parse, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(error(""), "1: expected a number, a name or an opening bracket, found the end");
  EXPECT_EQ(error("1 +"), "4: expected a number, a name or an opening bracket, found the end");
  EXPECT_EQ(error("(u + 1"), "7: expected \")\", found the end");
  EXPECT_EQ(error("u v"), "3: expected an operator or the end, found \"v\"");
  EXPECT_EQ(error("u + w9"), "5: unknown name \"w9\"");
  EXPECT_EQ(error("2 * sine(u)"), "5: unknown function \"sine\": did you mean \"sin\"?");
  EXPECT_EQ(error("sin"), "1: expected ( after the function \"sin\"");
  EXPECT_EQ(error("sin(u, v)"), "1: \"sin\" takes 1 argument, found 2");
  EXPECT_EQ(error("atan2(u)"), "1: \"atan2\" takes 2 arguments, found 1");
  EXPECT_EQ(error("if(u, 1, 2)"), "5: expected one of <= >= < >, found \",\"");
  EXPECT_EQ(error("u $ v"), "3: unexpected \"$\"");
  EXPECT_EQ(error("3x"), "1: expected a number, found \"3x\"");
  EXPECT_EQ(error("1e999"), "1: the number is too large or too small");
}

TEST_F(Parse, ConstantsThatAreNoNumbersAreErrors) {
  EXPECT_EQ(error("u / 0"), "5: division by zero");
  EXPECT_EQ(error("1 / (u - u)"), "5: division by zero");
  EXPECT_EQ(error("3 + 2/-0.0"), "7: division by zero");
  EXPECT_EQ(error("0^-1"), "1: the value is not a finite number");
  EXPECT_EQ(error("u + log(0)"), "5: the value is not a finite number");
  EXPECT_EQ(error("sqrt(1 - 2)"), "1: the value is not a finite number");
  EXPECT_EQ(error("u / (u + 0)"), "accepted");
}

TEST_F(Parse, HostileTextIsRefusedCheaply) {
  EXPECT_EQ(error(std::string(100000, '(')), "1: the expression has 100000 characters, at most 20000 are allowed");
  EXPECT_EQ(error(std::string(5000, '(')), "201: nested too deeply");
  EXPECT_EQ(error(std::string(5000, '-') + "u"), "201: nested too deeply");
  std::string towers = "u";
  for (int i = 0; i < 60; ++i) towers = "(" + towers + ")^64";
  EXPECT_EQ(error(towers), "accepted");  // x^(64^60), by squaring
}

TEST_F(Parse, RandomTextNeverDoesMoreThanFail) {
  std::mt19937 random(11);
  const std::string letters = "uvR0123456789.+-*/^(),<>= sincopiftan";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += letters[random() % letters.size()];
    EXPECT_NO_FATAL_FAILURE(error(text));
  }
}

TEST(Names, ThatCanBeGiven) {
  EXPECT_EQ(name_problem("u_1"), "");
  EXPECT_EQ(name_problem("pie"), "");
  for (const char* word : {"", "1u", "u v", "u-v", "u.v", " u", "\xc3\xa4"})
    EXPECT_EQ(name_problem(word), "expected a name of letters, digits and _") << word;
  for (const char* word : {"pi", "if", "sin", "max"})
    EXPECT_NE(name_problem(word).find("which has a meaning"), std::string::npos) << word;
}

TEST(Names, ThoseThatAnExpressionUses) {
  EXPECT_EQ(names_in("R + r*cos(v) + v*pi"), (std::vector<std::string>{"R", "r", "v"}));
  EXPECT_EQ(names_in("2*q.arm.1 - tip.z/.5"), (std::vector<std::string>{"q.arm.1", "tip.z"}));
}

}  // namespace
}  // namespace cardan
