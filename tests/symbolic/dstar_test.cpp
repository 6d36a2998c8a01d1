// What D* promises: the fewest operations on spherical harmonics and on joints between surfaces, in bounded time.
#include "benchmarks/differentiation/functions.hpp"
#include "benchmarks/differentiation/tables.hpp"
#include "cardan/joints/internal/derived_kinematics.hpp"
#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/internal/factor.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace cardan {
namespace {

using bench::inputs;

void expect_equal_values(Graph& g, std::span<const Expr> a, std::span<const Expr> b, int values) {
  std::vector<double> at;
  for (int i = 0; i < values; ++i) at.push_back(0.3 + 0.17 * i);
  const std::vector<double> x = evaluate(g, a, at), y = evaluate(g, b, at);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-11 * (1.0 + std::abs(y[i]))) << i;
}

/// A simplification that all three ways share leaves nothing to save in the two smallest.
TEST(Dstar, FewestOperationsOnSphericalHarmonics) {
  for (int order = 1; order <= 8; ++order) {
    Graph g;
    const std::vector<Expr> x = inputs(g, 0, 3), Y = bench::spherical_harmonics(order, x[0], x[1], x[2]);
    ASSERT_EQ(Y.size(), static_cast<std::size_t>((order + 1) * (order + 1)));
    const CheapestJacobian best = cheapest_jacobian(g, Y, x);
    const auto [forward, reverse, dstar] = best.operations;
    if (order <= 2) {
      EXPECT_LE(dstar, std::min(forward, reverse)) << order;
    } else {
      EXPECT_LT(dstar, std::min(forward, reverse)) << order;
    }
    EXPECT_EQ(count_operations(g, Y, best.entries).total(), std::min({forward, reverse, dstar}));
    expect_equal_values(g, best.entries, jacobian(g, Y, x, Differentiation::forward), 3);
  }
}

TEST(Dstar, SphericalHarmonicsAreOrthonormal) {  // so the functions counted are what they are called
  Graph g;
  const std::vector<Expr> x = inputs(g, 0, 3), Y = bench::spherical_harmonics(4, x[0], x[1], x[2]);
  // midpoints in z and in the angle; exact in the angle, second order in z
  std::vector<double> gram(Y.size() * Y.size());
  constexpr int kRings = 400, kAngles = 16;
  for (int i = 0; i < kRings; ++i)
    for (int j = 0; j < kAngles; ++j) {
      const double z = -1.0 + (2.0 * i + 1.0) / kRings, angle = 2.0 * 3.14159265358979 * j / kAngles,
                   r = std::sqrt(1.0 - z * z);
      const std::vector<double> y = evaluate(g, Y, std::vector<double>{r * std::cos(angle), r * std::sin(angle), z});
      for (std::size_t a = 0; a < y.size(); ++a)
        for (std::size_t b = 0; b < y.size(); ++b)
          gram[a * y.size() + b] += y[a] * y[b] * 4.0 * 3.14159265358979 / (kRings * kAngles);
    }
  for (std::size_t a = 0; a < Y.size(); ++a)
    for (std::size_t b = 0; b < Y.size(); ++b) EXPECT_NEAR(gram[a * Y.size() + b], a == b ? 1.0 : 0.0, 1e-3);
}

TEST(Dstar, FewestOperationsOnSurfaceAndCurveJoints) {
  for (const bench::PoseFunction& joint : bench::surface_and_curve_joints()) {
    SCOPED_TRACE(joint.name);
    Graph g;
    const int n = joint.coordinates;
    const std::vector<Expr> q = inputs(g, 0, n), q_dot = inputs(g, n, n);
    const Pose<Expr> G = joint.pose(q);
    const std::vector<Expr> pose = pose_entries(G);
    const CheapestJacobian dG = cheapest_jacobian(g, pose, q);
    EXPECT_LT(dG.operations[2], std::min(dG.operations[0], dG.operations[1]));
    expect_equal_values(g, dG.entries, jacobian(g, pose, q, Differentiation::forward), n);
    const std::vector<Expr> S = motion_subspace(G, dG.entries, n), v_J = joint_velocity(S, q_dot);
    const CheapestJacobian c_J = cheapest_derivative_along(g, v_J, q, q_dot);
    EXPECT_LT(c_J.operations[2], std::min(c_J.operations[0], c_J.operations[1]));
    expect_equal_values(g, c_J.entries, derivative_along(g, v_J, q, q_dot, Differentiation::forward), 2 * n);
    // what a joint uses is at most that
    const std::vector<Expr> used = velocity_product(g, G, S, q, q_dot);
    std::vector<Expr> given(pose);
    given.insert(given.end(), S.begin(), S.end());
    EXPECT_LE(count_operations(g, given, used).total(), count_operations(g, given, c_J.entries).total());
    expect_equal_values(g, used, c_J.entries, 2 * n);
  }
}

TEST(Dstar, FewestOperationsOnALongChain) {
  for (const int steps : {100, 1300}) {  // the longer one has almost as many nodes as D* takes on
    Graph g;
    const std::vector<Expr> x = inputs(g, 0, 2);
    const Expr f[] = {bench::long_chain(steps, x[0], x[1])};
    const CheapestJacobian best = cheapest_jacobian(g, f, x);
    EXPECT_LT(best.operations[2], std::min(best.operations[0], best.operations[1])) << steps;
  }
}

TEST(Dstar, TheTablesOfThePageAreThoseThatTheCommandPrints) {
  std::ifstream file(std::string(CARDAN_SOURCE_DIR) + "/docs/differentiation.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& table : {bench::counts_table(false), bench::joints_table(false)})
    EXPECT_NE(page.find("\n" + table), std::string::npos) << "`make counts` prints\n" << table;
}

/// Larger than D* takes on: the result is that of the cheaper of the others, and the stack is not needed.
TEST(Dstar, HugeGraphsAreLeftToForwardAndReverse) {
  Graph g;
  const std::vector<Expr> x = inputs(g, 0, 2);
  const Expr f[] = {bench::long_chain(40'000, x[0], x[1])};
  const CheapestJacobian best = cheapest_jacobian(g, f, x);
  EXPECT_EQ(best.operations[2], std::min(best.operations[0], best.operations[1]));
  EXPECT_LT(g.size(), 2'000'000);
}

/// All paths pass the waist: what is above it is differentiated once for each output, what is below once for each
/// input.
TEST(Dstar, CutsAtANodeThatAllPathsPass) {
  Graph g;
  const std::vector<Expr> x = inputs(g, 0, 4);
  const Expr waist = sin(x[0] * x[1]) * x[2] + cos(x[1] * x[3]) * x[0] * x[3];
  const std::vector<Expr> w{waist}, out{exp(waist) * waist * cos(waist), log(waist) * tanh(waist) * waist,
                                        sin(waist * waist) * waist / cosh(waist), atan2(waist, exp(waist)) * waist};
  const CheapestJacobian best = cheapest_jacobian(g, out, x);
  EXPECT_LT(best.operations[2], std::min(best.operations[0], best.operations[1]));
  std::vector<Expr> parts = jacobian(g, out, w, Differentiation::forward);
  const std::vector<Expr> lower = jacobian(g, w, x, Differentiation::forward);
  parts.insert(parts.end(), lower.begin(), lower.end());
  const int products = 4 * 4;
  EXPECT_LE(best.operations[2], count_operations(g, out, parts).total() + products);
}

struct Factor : ::testing::Test {
  Graph graph;
  Expr a = graph.input(0), b = graph.input(1), c = graph.input(2), d = graph.input(3);

  int operations(const std::vector<Expr>& wanted, const std::vector<Expr>& given = {}) {
    const std::vector<Expr> found = factor(graph, given, wanted);
    expect_equal_values(graph, found, wanted, 4);
    return count_operations(graph, given, found).total();
  }
};

TEST_F(Factor, CommonFactorsAreTakenOut) {
  EXPECT_EQ(operations({a * b + a * c}), 2);
  EXPECT_EQ(operations({a * b - a * c + a * d}), 3);
  EXPECT_EQ(operations({a * b * c - a * b * d}), 3);
  EXPECT_EQ(operations({Expr(3.0) * b - Expr(3.0) * c}), 2);
}

TEST_F(Factor, CommonProductsAndSumsAreComputedOnce) {
  EXPECT_EQ(operations({a * (b * c), b * (a * d), a * b}), 3);
  EXPECT_EQ(operations({(a + b) + c, (a + d) + b, -a - b}), 3);
  EXPECT_EQ(operations({(a - b) + c, (b + d) - a}), 3);
  EXPECT_EQ(operations({Expr(2.0) * (a * b), Expr(2.0) * (a * c)}), 3);  // 2 a serves both
}

TEST_F(Factor, WhatIsGivenIsUsed) {
  EXPECT_EQ(operations({(a * c) * b, (b + d) + a}, {a * b, a + b}), 4);
  EXPECT_EQ(operations({a * b}, {a * b}), 1);
}

TEST_F(Factor, NothingToSaveNothingChanged) {
  const std::vector<Expr> wanted{a * b + c * d, sin(a), Expr(0.0), Expr(2.0), -a};
  const std::vector<Expr> found = factor(graph, {}, wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(identical(found[i], wanted[i])) << i;
}

}  // namespace
}  // namespace cardan
