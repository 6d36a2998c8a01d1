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

/// Numbers with units are those of SI; what a unit is made of is written out here once more.
TEST_F(Parse, Units) {
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(value("500 mm"), 0.5);
  EXPECT_EQ(value("-3mm"), -0.003);
  EXPECT_DOUBLE_EQ(value("30 deg"), pi / 6.0);
  EXPECT_DOUBLE_EQ(value("30deg + 1 rad"), pi / 6.0 + 1.0);
  EXPECT_DOUBLE_EQ(value("60 rpm"), 2.0 * pi);
  EXPECT_DOUBLE_EQ(value("36 km/h"), 10.0);
  EXPECT_DOUBLE_EQ(value("9.81 m/s^2"), 9.81);
  EXPECT_DOUBLE_EQ(value("2 cm^2"), 2e-4);
  EXPECT_DOUBLE_EQ(value("3 g/cm^3"), 3000.0);
  EXPECT_DOUBLE_EQ(value("2 N m s/deg"), 360.0 / pi);
  EXPECT_DOUBLE_EQ(value("1 lbf/in^2"), 0.45359237 * 9.80665 / 0.0254 / 0.0254);
  EXPECT_DOUBLE_EQ(value("R*5 ms + u"), 0.01 + u);
  EXPECT_DOUBLE_EQ(value("90 deg/R"), pi / 4.0);  // a name of one's own is no unit
  EXPECT_EQ(error("2 furlong"), "3: expected an operator or the end, found \"furlong\"");
  EXPECT_EQ(error("2 m^0.5"), "5: expected a whole number from 1 to 9 as the power of a unit, found \"0.5\"");
  symbols["m"] = Expr(3.0);
  EXPECT_EQ(error("2 m"), "3: expected * between a number and the name \"m\", which is also a unit");
  EXPECT_DOUBLE_EQ(value("2*m"), 6.0);
  EXPECT_DOUBLE_EQ(value("90 deg/m"), pi / 6.0);
}

TEST_F(Parse, KindsOfQuantities) {
  const auto is = [&](const char* text, const Dimension& dimension) {
    const auto found = quantity_in(text, symbols);
    return found && *found == dimension;
  };
  EXPECT_TRUE(is("-500 mm", {1, 0, 0, 0}));
  EXPECT_TRUE(is("9.81 m/s^2", {1, 0, -2, 0}));
  EXPECT_TRUE(is("5 N m/rad", {2, 1, -2, -1}));
  EXPECT_TRUE(is("3 Nm", {2, 1, -2, 0}));
  EXPECT_TRUE(is("60 rpm", {0, 0, -1, 1}));
  for (const char* text : {"5", "2*500 mm", "500 mm + u", "u", "", "mm", "deg", "90 deg/R"})
    EXPECT_FALSE(quantity_in(text, symbols)) << text;
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
  EXPECT_EQ(names_in("2 mm*x + 30deg + 4 N m*y/s"), (std::vector<std::string>{"x", "y", "s"}));
}

}  // namespace
}  // namespace cardan
