// Functions through points, and the functions of texts that are constant but for steps.
#include "cardan/symbolic/internal/piecewise_cubic.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/program/executable.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan {
namespace {

/// Value and first two derivatives of a function of one number.
std::array<double, 3> at(const std::function<Expr(Expr)>& f, double x) {
  Graph graph;
  const Expr in = graph.input(0);
  std::vector<Expr> all{f(in)};
  for (int i = 0; i < 2; ++i)
    all.push_back(jacobian(graph, std::span(&all.back(), 1), std::span(&in, 1), Differentiation::forward)[0]);
  const std::vector<double> out = evaluate(graph, all, std::span(&x, 1));
  return {out[0], out[1], out[2]};
}

const std::vector<double> kX{-1.0, -0.4, 0.1, 0.9, 2.0, 2.5}, kY{0.3, 1.0, -0.2, 0.4, 0.5, 2.0};

TEST(PiecewiseCubic, GoesThroughItsPoints) {
  for (const Interpolation method : {Interpolation::linear, Interpolation::monotone, Interpolation::spline}) {
    const PiecewiseCubic f(kX, kY, method);
    for (std::size_t i = 0; i < kX.size(); ++i) EXPECT_NEAR(at(f, kX[i])[0], kY[i], 1e-15);
  }
}

/// Slope and curvature from the left and from the right, as far as each method promises them.
TEST(PiecewiseCubic, IsAsSmoothAsItsNameSays) {
  constexpr double tiny = 1e-9;
  for (const Interpolation method : {Interpolation::monotone, Interpolation::spline}) {
    const PiecewiseCubic f(kX, kY, method);
    const int order = method == Interpolation::spline ? 2 : 1;
    for (const double x : kX)
      for (int k = 0; k <= order; ++k)
        EXPECT_NEAR(at(f, x - tiny)[static_cast<std::size_t>(k)], at(f, x + tiny)[static_cast<std::size_t>(k)], 1e-6);
  }
  const PiecewiseCubic natural(kX, kY, Interpolation::spline);
  EXPECT_NEAR(at(natural, kX.front() + tiny)[2], 0.0, 1e-6);
  EXPECT_NEAR(at(natural, kX.back() - tiny)[2], 0.0, 1e-6);
}

TEST(PiecewiseCubic, MonotoneNeverOvershoots) {
  const PiecewiseCubic f(kX, kY, Interpolation::monotone);
  for (std::size_t i = 0; i + 1 < kX.size(); ++i)
    for (double s = 0.0; s <= 1.0; s += 0.01) {
      const double y = at(f, (1.0 - s) * kX[i] + s * kX[i + 1])[0];
      EXPECT_GE(y, std::min(kY[i], kY[i + 1]) - 1e-14);
      EXPECT_LE(y, std::max(kY[i], kY[i + 1]) + 1e-14);
    }
}

TEST(PiecewiseCubic, GoesOnInItsEndTangents) {
  const PiecewiseCubic f(kX, kY, Interpolation::spline);
  const auto left = at(f, kX.front()), right = at(f, kX.back());
  EXPECT_NEAR(at(f, -3.0)[0], left[0] - 2.0 * left[1], 1e-13);
  EXPECT_NEAR(at(f, 4.5)[0], right[0] + 2.0 * right[1], 1e-13);
  EXPECT_EQ(at(f, 4.5)[2], 0.0);
}

/// Splines of a sine over its period: as near as the fourth power of the spacing says, and again a period later.
TEST(PiecewiseCubic, PeriodicComesAround) {
  std::vector<double> x, y;
  constexpr int n = 40;
  for (int i = 0; i <= n; ++i) {
    x.push_back(2.0 * std::numbers::pi * i / n);
    y.push_back(i == n ? 0.0 : std::sin(x.back()));
  }
  const PiecewiseCubic f(x, y, Interpolation::spline, true);
  for (double t = -7.0; t < 14.0; t += 0.31) {
    EXPECT_NEAR(at(f, t)[0], std::sin(t), 2e-6);
    EXPECT_NEAR(at(f, t)[1], std::cos(t), 1e-4);
    EXPECT_NEAR(at(f, t)[0], at(f, t + 2.0 * std::numbers::pi)[0], 1e-13);
  }
}

TEST(PiecewiseCubic, RefusesWhatIsNoFunction) {
  const auto make = [](std::vector<double> x, std::vector<double> y, bool periodic = false) {
    PiecewiseCubic(x, y, Interpolation::spline, periodic);
  };
  EXPECT_THROW(make({0.0}, {0.0}), std::invalid_argument);
  EXPECT_THROW(make({0.0, 1.0}, {0.0}), std::invalid_argument);
  EXPECT_THROW(make({0.0, 0.0}, {0.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(make({0.0, 1.0, 2.0}, {0.0, 1.0, 2.0}, true), std::invalid_argument);
}

TEST(Texts, HaveStepsAndDegrees) {
  const auto value = [](const std::string& text) { return parse_expression(text, {}).value(); };
  EXPECT_EQ(value("floor(-1.5)"), -2.0);
  EXPECT_EQ(value("ceil(-1.5)"), -1.0);
  EXPECT_EQ(value("ceil(2.1)"), 3.0);
  EXPECT_EQ(value("mod(-1, 3)"), 2.0);
  EXPECT_EQ(value("mod(7.5, 2)"), 1.5);
  EXPECT_EQ(value("sign(-3) + sign(0) + 2*sign(4)"), 1.0);
  EXPECT_DOUBLE_EQ(value("30 deg"), std::numbers::pi / 6.0);
  EXPECT_DOUBLE_EQ(value("180*deg"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("sin(90 deg) + 1"), 2.0);
  EXPECT_EQ(name_problem("deg").empty(), false);
}

/// Machine code, the interpreter on doubles and on dual numbers, and the plain evaluation of the graph agree.
TEST(Texts, WithTablesRunOnEveryBackend) {
  const PiecewiseCubic table(kX, kY, Interpolation::spline);
  Graph graph;
  const Expr x = graph.input(0);
  const Expr f = table(x) * floor(Expr(3.0) * x) + table(sin(x));
  const std::vector<Expr> outputs{f, jacobian(graph, std::span(&f, 1), std::span(&x, 1), Differentiation::forward)[0]};
  const Program program = make_program(graph, outputs, 1);
  const Interpreter interpreter(program);
  const Executable code(program);
  for (double at = -2.0; at < 3.0; at += 0.037) {
    const std::vector<double> expected = evaluate(graph, outputs, std::span(&at, 1));
    double out[2], scratch[256] = {};
    ASSERT_LE(interpreter.scratch(), 256);
    interpreter.run(&at, out, scratch);
    EXPECT_NEAR(out[0], expected[0], 1e-13);
    EXPECT_NEAR(out[1], expected[1], 1e-12);
    std::vector<Dual<2>> dual_scratch(256);
    const Dual<2> in = Dual<2>::variable(at, 0);
    Dual<2> dual_out[2];
    interpreter.run(&in, dual_out, dual_scratch.data());
    EXPECT_NEAR(dual_out[0].value, expected[0], 1e-13);
    EXPECT_NEAR(dual_out[0].d[0], expected[1], 1e-12);
    std::vector<double> code_scratch(static_cast<std::size_t>(code.scratch()));
    double code_out[2];
    const double* inputs[] = {&at};
    double* results[] = {code_out};
    code.run(inputs, results, code_scratch.data());
    EXPECT_EQ(code_out[0], out[0]);
    EXPECT_EQ(code_out[1], out[1]);
  }
}

}  // namespace
}  // namespace cardan
