// The language of poses: values, and every kind of error with its place.
#include "cardan/joints/internal/parse_transform.hpp"

#include "cardan/symbolic/graph.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan {
namespace {

struct ParseTransform : ::testing::Test {
  Graph graph;
  Symbols symbols{{"u", graph.input(0)}, {"v", graph.input(1)}, {"R", Expr(2.0)}};
  double u = 0.3, v = -0.7;

  std::string error(const std::string& text) {
    try {
      parse_transform(text, symbols);
    } catch (const ParseError& e) {
      return std::to_string(e.column) + ": " + e.what();
    }
    return "accepted";
  }
};

TEST_F(ParseTransform, Products) {
  const Pose<Expr> p =
      parse_transform("trans(1, u, 0) * rotz(v) * inv(rotz(v) * trans(0, 0, 2)) * rot(0, 3, 0, u)", symbols).pose();
  std::vector<Expr> e;
  for (const auto& row : p.R.row)
    for (int j = 0; j < 3; ++j) e.push_back(row[j]);
  for (int j = 0; j < 3; ++j) e.push_back(p.p[j]);
  const std::vector<double> x = evaluate(graph, e, std::vector<double>{u, v});
  const double c = std::cos(u), s = std::sin(u);
  const double expected[] = {c, 0, s, 0, 1, 0, -s, 0, c, 1, u, -2};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(x[i], expected[i], 1e-15) << i;
}

TEST_F(ParseTransform, TwistIsTheExponential) {
  const Pose<Expr> p = parse_transform("twist(0, 0, u, 1, 0, 0)", symbols).pose();
  const Expr e[] = {p.R(0, 0), p.R(1, 0), p.p[0], p.p[1]};
  const std::vector<double> x = evaluate(graph, e, std::vector<double>{u, v});
  EXPECT_NEAR(x[0], std::cos(u), 1e-15);
  EXPECT_NEAR(x[1], std::sin(u), 1e-15);
  EXPECT_NEAR(x[2], std::sin(u) / u, 1e-15);
  EXPECT_NEAR(x[3], (1.0 - std::cos(u)) / u, 1e-14);
}

TEST_F(ParseTransform, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(error("rotz(u) * scale(2)"), "11: unknown transform \"scale\"");
  EXPECT_EQ(error("rotq(u)"), "1: unknown transform \"rotq\": did you mean \"rotx\"?");
  EXPECT_EQ(error("rot(0, 0, 0, u)"), "1: the axis of \"rot\" has zero length");
  EXPECT_EQ(error("trans(1, 2)"), "1: \"trans\" takes 3 arguments, found 2");
  EXPECT_EQ(error("3 * rotz(u)"), "1: expected trans, rotx, roty, rotz, rot, twist, frame or inv, found \"3\"");
  EXPECT_EQ(error("rotz(u/0)"), "8: division by zero");
}

TEST_F(ParseTransform, RandomTextNeverDoesMoreThanFail) {
  std::mt19937 random(11);
  const std::string letters = "uvR0123456789.+-*/^(),<>= rotxyzansiv";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t n = random() % 30; n > 0; --n) text += letters[random() % letters.size()];
    EXPECT_NO_FATAL_FAILURE(error(text));
  }
}

}  // namespace
}  // namespace cardan
