// Derivatives in three ways, against each other and against finite differences.
#include "cardan/symbolic/differentiate.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cardan {
namespace {

constexpr Differentiation kWays[] = {Differentiation::forward, Differentiation::reverse, Differentiation::dstar};

TEST(Differentiate, EveryOperation) {
  Graph g;
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
        EXPECT_NEAR(J[2 * i + j], (a[i] - b[i]) / (2.0 * h), 1e-8) << name(g[f[i].id()].op) << " by input " << j;
    }
  }
}

/// A random function of several inputs and outputs: shared and repeated operands, choices, functions.
struct RandomFunction {
  explicit RandomFunction(unsigned seed) {
    std::mt19937 random(seed);
    const int inputs = 1 + static_cast<int>(random() % 5);
    for (int i = 0; i < inputs; ++i) {
      in.push_back(graph.input(i));
      at.push_back(0.3 + 0.2 * i);
    }
    std::vector<Expr> pool = in;
    pool.insert(pool.end(), {Expr(0.5), Expr(-2.0), Expr(1.0)});
    const int steps = 5 + static_cast<int>(random() % 40);
    constexpr Op kOps[] = {Op::add,    Op::subtract, Op::multiply, Op::multiply, Op::multiply,    Op::sin, Op::cos,
                           Op::negate, Op::tanh,     Op::divide,   Op::atan2,    Op::select_less, Op::max, Op::exp};
    for (int step = 0; step < steps; ++step) {
      Expr a[4];
      for (Expr& x : a) x = pool[random() % pool.size()];
      if (random() % 4 == 0) a[1] = a[0];
      const Op op = kOps[random() % std::size(kOps)];
      if (op == Op::divide || op == Op::atan2) a[1] = exp(tanh(a[1]));  // away from the poles
      if (op == Op::exp) a[0] = sin(a[0]);
      const Expr made = graph.make(op, a[0], a[1], a[2], a[3]);
      if (std::abs(evaluate(graph, std::vector<Expr>{made}, at)[0]) < 100.0) pool.push_back(made);
    }
    for (std::size_t i = 0; i < 1 + random() % 6; ++i)
      out.push_back(pool[pool.size() - 1 - random() % 8 % pool.size()]);
  }

  Graph graph;
  std::vector<Expr> in, out;
  std::vector<double> at;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                 unsigned seed) {
  double size = 1.0;
  for (const double x : expected) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * size) << "seed " << seed << " entry " << i;
}

TEST(Differentiate, ThreeWaysAgreeOnThousandsOfRandomGraphs) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(test::repetitions(4000, 100000)) && !HasFailure(); ++seed) {
    RandomFunction f(seed);
    const auto by = [&](Differentiation way) { return evaluate(f.graph, jacobian(f.graph, f.out, f.in, way), f.at); };
    const std::vector<double> forward = by(Differentiation::forward);
    expect_near(by(Differentiation::reverse), forward, 1e-11, seed);
    expect_near(by(Differentiation::dstar), forward, 1e-11, seed);
  }
}

TEST(Differentiate, DstarIsNeverMoreThanForwardOrReverseOnRandomGraphs) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(test::repetitions(1000, 20000)) && !HasFailure(); ++seed) {
    RandomFunction f(seed);
    const CheapestJacobian best = cheapest_jacobian(f.graph, f.out, f.in);
    const auto [forward, reverse, dstar] = best.operations;
    EXPECT_LE(dstar, std::min(forward, reverse)) << seed;
    EXPECT_EQ(count_operations(f.graph, f.out, best.entries).total(), dstar) << seed;
  }
}

TEST(Differentiate, AlongAMotionIsTheJacobianTimesTheRates) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(test::repetitions(500, 20000)) && !HasFailure(); ++seed) {
    RandomFunction f(seed);
    const std::size_t n = f.in.size();
    std::vector<Expr> rates;
    for (std::size_t i = 0; i < n; ++i) {
      rates.push_back(f.graph.input(static_cast<int>(n + i)));
      f.at.push_back(1.0 - 0.4 * static_cast<double>(i));
    }
    const std::vector<double> J = evaluate(f.graph, jacobian(f.graph, f.out, f.in, Differentiation::forward), f.at);
    std::vector<double> expected(f.out.size());
    for (std::size_t i = 0; i < J.size(); ++i) expected[i / n] += J[i] * f.at[n + i % n];
    for (const Differentiation way : kWays)
      expect_near(evaluate(f.graph, derivative_along(f.graph, f.out, f.in, rates, way), f.at), expected, 1e-10, seed);
  }
}

TEST(Differentiate, InputsMayBeInnerNodesAndOutputsMayBeInputs) {
  Graph g;
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
  const Expr x = g.input(0), y = g.input(1), in[] = {x, y};
  std::vector<Expr> out{sin(x * y) * exp(x), cos(x * y) * exp(y), x * exp(x * y)};
  const CheapestJacobian best = cheapest_jacobian(g, out, in);
  out.insert(out.end(), best.entries.begin(), best.entries.end());
  for (const int operations : best.operations) EXPECT_LE(count_operations(g, out).total(), operations);
}

TEST(Differentiate, InputsMayDependOnEachOther) {
  Graph g;
  const Expr x = g.input(0), s = sin(x), out[] = {s * x}, in[] = {x, s};
  for (const Differentiation way : kWays) {  // each input moves while the others stand still
    const std::vector<double> J = evaluate(g, jacobian(g, out, in, way), std::vector<double>{0.5});
    EXPECT_DOUBLE_EQ(J[0], std::sin(0.5));
    EXPECT_DOUBLE_EQ(J[1], 0.5);
  }
}

TEST(Differentiate, SecondDerivatives) {
  Graph g;
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

TEST(Differentiate, SecondDerivativesOfEveryWayAgainstFiniteDifferences) {
  for (const Differentiation first_way : kWays)
    for (const Differentiation second_way : kWays) {
      Graph g;
      const Expr x = g.input(0), y = g.input(1), z = g.input(2), r = sqrt(x * x + y * y + z * z);
      const std::vector<Expr> in{x, y, z}, f{exp(x) * sin(y * z) / r, atan2(y, x) * tanh(z * r), log(r) * cos(x - z)};
      const std::vector<Expr> first = jacobian(g, f, in, first_way), second = jacobian(g, first, in, second_way);
      const std::vector<double> at{0.4, 0.7, -0.3}, H = evaluate(g, second, at);
      const double h = 1e-3;
      for (std::size_t j = 0; j < 3; ++j) {
        const auto moved = [&](double by) {
          std::vector<double> q = at;
          q[j] += by;
          return evaluate(g, first, q);
        };
        const auto a = moved(h), b = moved(-h), c = moved(2.0 * h), d = moved(-2.0 * h);
        for (std::size_t i = 0; i < first.size(); ++i)  // fourth order: the error is near 1e-10
          EXPECT_NEAR(H[3 * i + j], (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * h), 1e-9) << i << " " << j;
      }
      for (std::size_t k = 0; k < 3; ++k)  // symmetric
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(H[9 * k + 3 * i + j], H[9 * k + 3 * j + i], 1e-13);
    }
}

}  // namespace
}  // namespace cardan
