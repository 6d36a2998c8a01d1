// Derivatives in three ways, against each other and against finite differences.
#include "cardan/symbolic/differentiate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan {
namespace {

constexpr Differentiation kWays[] = {Differentiation::forward, Differentiation::reverse, Differentiation::dstar};

TEST(Differentiate, EveryOperation) {
  Graph g;
  const Recording recording(g);
  const Expr x = g.input(0), y = g.input(1), in[] = {x, y};
  const std::vector<Expr> f{x + y,     x - y,
                            x * y,     x / y,
                            -x,        sin(x),
                            cos(x),    tan(x),
                            asin(x),   acos(x),
                            atan(x),   atan2(y, x),
                            sqrt(x),   exp(x),
                            log(x),    abs(x - y),
                            sinh(x),   cosh(x),
                            tanh(x),   min(x, y),
                            max(x, y), select_less(x, y, x * x, y * x),
                            x * x * x};
  const std::vector<double> at{0.4, 0.7};
  for (const Differentiation way : kWays) {
    const std::vector<double> J = evaluate(g, jacobian(g, f, in, way), at);
    for (std::size_t j = 0; j < 2; ++j) {
      const double h = 1e-5;
      std::vector<double> up = at, down = at;
      up[j] += h;
      down[j] -= h;
      const std::vector<double> a = evaluate(g, f, up), b = evaluate(g, f, down);
      for (std::size_t i = 0; i < f.size(); ++i)
        EXPECT_NEAR(J[2 * i + j], (a[i] - b[i]) / (2.0 * h), 1e-8) << name(g[f[i]].op) << " by input " << j;
    }
  }
}

TEST(Differentiate, ThreeWaysAgreeOnRandomGraphsOfManyInputsAndOutputs) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Graph g;
    const Recording recording(g);
    std::vector<Expr> in, pool;
    std::vector<double> at;
    for (int i = 0; i < 4; ++i) {
      in.push_back(g.input(i));
      at.push_back(0.3 + 0.2 * i);
    }
    pool = in;
    for (int step = 0; step < 30; ++step) {
      const Op ops[] = {Op::add, Op::subtract, Op::multiply, Op::sin, Op::cos, Op::tanh};
      pool.push_back(g.make(ops[random() % 6], pool[random() % pool.size()], pool[random() % pool.size()]));
    }
    const std::vector<Expr> out(pool.end() - 5, pool.end());
    const std::vector<double> a = evaluate(g, jacobian(g, out, in, Differentiation::forward), at),
                              b = evaluate(g, jacobian(g, out, in, Differentiation::reverse), at),
                              c = evaluate(g, jacobian(g, out, in, Differentiation::dstar), at);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(b[i], a[i], 1e-9 * (1.0 + std::abs(a[i]))) << round;
      ASSERT_NEAR(c[i], a[i], 1e-9 * (1.0 + std::abs(a[i]))) << round;
    }
  }
}

TEST(Differentiate, InputsMayBeInnerNodesAndOutputsMayBeInputs) {
  Graph g;
  const Recording recording(g);
  const Expr x = g.input(0), s = sin(x), out[] = {s * s, s, x}, in[] = {s};
  for (const Differentiation way : kWays) {
    const std::vector<double> J = evaluate(g, jacobian(g, out, in, way), std::vector<double>{0.5});
    EXPECT_DOUBLE_EQ(J[0], 2.0 * std::sin(0.5));
    EXPECT_EQ(J[1], 1.0);
    EXPECT_EQ(J[2], 0.0);
  }
}

TEST(Differentiate, TheCheapestIsNeverMoreThanAnyOfTheThree) {
  Graph g;
  const Recording recording(g);
  const Expr x = g.input(0), y = g.input(1), in[] = {x, y};
  std::vector<Expr> out{sin(x * y) * exp(x), cos(x * y) * exp(y), x * exp(x * y)};
  const CheapestJacobian best = cheapest_jacobian(g, out, in);
  out.insert(out.end(), best.entries.begin(), best.entries.end());
  for (const int operations : best.operations) EXPECT_LE(count_operations(g, out).total(), operations);
}

TEST(Differentiate, SecondDerivatives) {
  Graph g;
  const Recording recording(g);
  const Expr x = g.input(0), y = g.input(1), in[] = {x, y}, f[] = {exp(x) * sin(x * y)};
  const std::vector<Expr> first = jacobian(g, f, in, Differentiation::reverse);
  const std::vector<double> H =
      evaluate(g, jacobian(g, first, in, Differentiation::dstar), std::vector<double>{0.4, 0.7});
  const double e = std::exp(0.4), s = std::sin(0.28), c = std::cos(0.28);
  EXPECT_NEAR(H[0], e * (s + 1.4 * c - 0.49 * s), 1e-14);
  EXPECT_NEAR(H[1], e * (0.4 * c + c - 0.28 * s), 1e-14);
  EXPECT_NEAR(H[2], H[1], 1e-15);
  EXPECT_NEAR(H[3], -e * 0.16 * s, 1e-14);
}

}  // namespace
}  // namespace cardan
