// Expr: simplification, sharing, and an algorithm recorded on it.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/symbolic/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cardan {
namespace {

struct Symbolic : ::testing::Test {
  Graph graph;
  Expr x = graph.input(0), y = graph.input(1);
};

void expect_same(Expr a, Expr b) { EXPECT_TRUE(identical(a, b)); }

TEST_F(Symbolic, EqualExpressionsAreOneNode) {
  expect_same(x + y, y + x);
  expect_same(sin(x * y), sin(y * x));
  EXPECT_FALSE(identical(x - y, y - x));
}

TEST_F(Symbolic, ZerosOnesAndSignsVanish) {
  const Expr zero(0.0), one(1.0);
  expect_same(x + zero, x);
  expect_same(x * one, x);
  expect_same(x * zero, zero);
  expect_same(x - x, zero);
  expect_same(x / x, one);
  expect_same(-(-x), x);
  expect_same((-x) * (-y), x * y);
  expect_same(x + (-y), x - y);
  expect_same(x - (-y), x + y);
  expect_same(Expr(0.0) - (x - y), y - x);
  expect_same(cos(-x), cos(x));
  expect_same(sin(-x), -sin(x));
  expect_same(sqrt(x) * sqrt(x), x);
}

TEST_F(Symbolic, LikeTermsAndConstantsAreCollected) {
  expect_same(x + x, Expr(2.0) * x);
  expect_same(Expr(3.0) * x - x, Expr(2.0) * x);
  expect_same(Expr(3.0) * (Expr(2.0) * x), Expr(6.0) * x);
  expect_same(sin(x) * sin(x) + cos(x) * cos(x), Expr(1.0));
  expect_same(Expr(2.0) + Expr(3.0), Expr(5.0));
  expect_same(select_less(Expr(1.0), Expr(2.0), x, y), x);
  expect_same(select_less(x, y, x, x), x);
}

TEST_F(Symbolic, LikeTermsWithSignsCancel) {
  expect_same(Expr(2.0) * x - Expr(5.0) * x, Expr(-3.0) * x);
  expect_same(-x - x, Expr(-2.0) * x);
  expect_same(-(x * y) + Expr(4.0) * (y * x), Expr(3.0) * (x * y));
  expect_same((x + y) - y, x);
  expect_same((x - y) + y, x);
  expect_same(x - (x + y), -y);
}

TEST_F(Symbolic, SinSquaredPlusCosSquaredOfOneAngleOnly) {
  const Expr s = sin(x * y), c = cos(y * x);
  expect_same(c * c + s * s, Expr(1.0));
  EXPECT_FALSE((sin(x) * sin(x) + cos(y) * cos(y)).is_constant());
  EXPECT_FALSE((sin(x) * cos(x) + cos(x) * sin(x)).is_constant());
}

/// A sum of products stays a chain in which every addition has a product beside it: one fused operation each.
TEST_F(Symbolic, SumsOfProductsStayFitForFusedMultiplyAdd) {
  const Expr z = graph.input(2), a[] = {x, y, z}, b[] = {sin(x), cos(y), exp(z)};
  Expr sum = tan(x);
  for (int i = 0; i < 3; ++i) sum = i == 1 ? sum - a[i] * b[i] : sum + a[i] * b[i];
  int fused = 0;
  for (const NodeId e : reachable(graph, std::vector<Expr>{sum})) {
    const Node& n = graph[e];
    if (n.op != Op::add && n.op != Op::subtract) continue;
    EXPECT_TRUE(graph[n.arg[0]].op == Op::multiply || graph[n.arg[1]].op == Op::multiply);
    ++fused;
  }
  EXPECT_EQ(fused, 3);
  EXPECT_EQ(count_operations(graph, std::vector<Expr>{sum}).multiplications, 3);
}

TEST_F(Symbolic, KeepsAProductAsItStandsWhenAsked) {
  const Expr scaled = Expr(2.0) * x;
  EXPECT_FALSE(identical(graph.keep(Op::multiply, scaled, y), scaled * y));
  expect_same(graph.keep(Op::multiply, scaled, y), graph.keep(Op::multiply, y, scaled));
  const std::vector<double> v = evaluate(graph, std::vector<Expr>{graph.keep(Op::multiply, scaled, y), scaled * y},
                                         std::vector<double>{3.0, 5.0});
  EXPECT_EQ(v[0], 30.0);
  EXPECT_EQ(v[1], 30.0);
}

TEST_F(Symbolic, DepthFirstHasTheSameNodesOperandsFirst) {
  const std::vector<Expr> out{sin(x * y) + x, x * y, select_less(x, y, x * x, y)};
  const std::vector<NodeId> order = depth_first(graph, out);
  EXPECT_EQ(order.size(), reachable(graph, out).size());
  std::vector<int> seen;
  for (const NodeId e : order) {
    for (int k = 0; k < arity(graph[e].op); ++k)
      EXPECT_NE(std::find(seen.begin(), seen.end(), graph[e].arg[k]), seen.end());
    EXPECT_EQ(std::find(seen.begin(), seen.end(), e), seen.end());
    seen.push_back(e);
  }
}

TEST_F(Symbolic, SimplifiedRandomExpressionsKeepTheirValue) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Expr> pool{x, y, Expr(0.0), Expr(1.0), Expr(-1.0), Expr(0.5)};
    const std::vector<double> in{0.7, -1.3};
    std::vector<double> value{0.7, -1.3, 0.0, 1.0, -1.0, 0.5};  // computed beside it, without simplification
    for (int step = 0; step < 25; ++step) {
      const Op ops[] = {Op::add, Op::subtract, Op::multiply, Op::negate,     Op::sin,
                        Op::cos, Op::abs,      Op::min,      Op::select_less};
      const Op op = ops[random() % 9];
      std::size_t i[4];
      for (std::size_t& k : i) k = random() % pool.size();
      const double v = evaluate(op, value[i[0]], value[i[1]], value[i[2]], value[i[3]]);
      if (std::abs(v) > 1e6) continue;
      pool.push_back(graph.make(op, pool[i[0]], pool[i[1]], pool[i[2]], pool[i[3]]));
      value.push_back(v);
    }
    const std::vector<double> got = evaluate(graph, pool, in);
    for (std::size_t k = 0; k < pool.size(); ++k)
      ASSERT_NEAR(got[k], value[k], 1e-9 * (1.0 + std::abs(value[k]))) << "round " << round << " node " << k;
  }
}

TEST(Graph, RefusesToGrowWithoutBound) {
  Graph small(100);
  EXPECT_THROW(
      {
        Expr e = small.input(0);
        for (int i = 0; i < 1000; ++i) e = sin(e);
      },
      GraphTooLarge);
}

TEST(Graph, InverseDynamicsRecordedEqualsInverseDynamics) {
  ModelBuilder builder;
  std::string parent = "world";
  const std::vector<Joint> joints{Joint(Revolute(Vec3<double>{0.0, 1.0, 0.0})), Joint(Universal{}), Joint(Spherical{}),
                                  Joint(SphericalExponential{}), Joint(FreePlanar{})};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string name = "body" + std::to_string(i);
    builder.body(name, {1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}});
    builder.joint(parent, name, joints[i], {Mat3<double>::identity(), {0.3, 0.1, -0.2}});
    parent = name;
  }
  const Model model = builder.build();
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  Graph graph;
  std::vector<Expr> q, v, a, tau(nv);
  int next = 0;
  for (std::size_t i = 0; i < nq; ++i) q.push_back(graph.input(next++));
  for (std::size_t i = 0; i < nv; ++i) v.push_back(graph.input(next++));
  for (std::size_t i = 0; i < nv; ++i) a.push_back(graph.input(next++));
  Workspace<Expr> symbolic(model);
  inverse_dynamics(model, symbolic, q, v, a, tau);

  std::vector<double> in;
  for (int i = 0; i < next; ++i) in.push_back(0.3 + 0.1 * std::sin(3.0 * i));
  for (std::size_t i = 0; i < 4; ++i) in[3 + i] = 0.5;  // the unit quaternion
  const std::vector<double> recorded = evaluate(graph, tau, in);
  Workspace<double> workspace(model);
  std::vector<double> direct(nv);
  const std::vector<double> qd(in.begin(), in.begin() + model.nq()),
      vd(in.begin() + model.nq(), in.begin() + model.nq() + model.nv()), ad(in.end() - model.nv(), in.end());
  inverse_dynamics(model, workspace, qd, vd, ad, direct);
  for (std::size_t i = 0; i < nv; ++i) EXPECT_NEAR(recorded[i], direct[i], 1e-12) << i;
}

}  // namespace
}  // namespace cardan
