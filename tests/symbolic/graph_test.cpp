// Expressions and the graphs that they belong to.
#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/frozen_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <thread>

namespace cardan {
namespace {

TEST(Graph, AConstantBelongsToNoGraphAndServesAll) {
  const Expr half(0.5);
  Graph one, other;
  for (int i = 0; i < 5; ++i) other.input(i);  // so that equal expressions have other numbers there
  for (Graph* graph : {&one, &other}) {
    const std::vector<Expr> out{half * graph->input(0), half + half, half};
    EXPECT_EQ(evaluate(*graph, out, std::vector<double>{3.0}), (std::vector<double>{1.5, 1.0, 0.5}));
  }
  EXPECT_TRUE((half * half).is(0.25));
}

TEST(Graph, ExpressionsOfTwoGraphsCannotBeCombined) {
  Graph one, other;
  const Expr x = one.input(0), y = other.input(0);
  EXPECT_THROW(x + y, GraphMismatch);
  EXPECT_THROW(y * x, GraphMismatch);
  EXPECT_THROW(atan2(x, y), GraphMismatch);
  EXPECT_THROW(select_less(x, x, x, y), GraphMismatch);
  try {
    x - y;
    ADD_FAILURE();
  } catch (const GraphMismatch& error) {
    EXPECT_STREQ(error.what(), "expressions of two different graphs cannot be combined");
  }
}

/// A graph that lies where another one has been does not take its expressions for its own.
TEST(Graph, AnExpressionDoesNotOutliveItsGraph) {
  std::optional<Graph> graph;
  graph.emplace();
  const Expr old = graph->input(0);
  graph.emplace();
  EXPECT_THROW(old + graph->input(0), GraphMismatch);
  EXPECT_THROW(sin(old), GraphMismatch);
  EXPECT_FALSE(identical(old, graph->input(0)));
}

TEST(Graph, NoneReadsTheExpressionsOfAnother) {
  Graph one, other;
  const std::vector<Expr> x{one.input(0)}, y{other.input(0)};
  EXPECT_THROW(evaluate(one, y, std::vector<double>{1.0}), GraphMismatch);
  EXPECT_THROW(depth_first(one, y), GraphMismatch);
  EXPECT_THROW(count_operations(one, y), GraphMismatch);
  EXPECT_THROW(jacobian(one, x, y, Differentiation::forward), GraphMismatch);
  EXPECT_THROW(derivative_along(one, x, x, y, Differentiation::dstar), GraphMismatch);
}

TEST(Graph, ThreadsWithGraphsOfTheirOwnDoNotMeet) {
  const Expr shared(0.25);
  const auto sum = [&](double step) {
    Graph graph;
    Expr out;
    for (int i = 0; i < 2000; ++i) out += shared * sin(graph.input(0) + Expr(step * i));
    return evaluate(graph, std::vector<Expr>{out}, std::vector<double>{0.1})[0];
  };
  const std::vector<double> steps{1.0, 1.5, 2.0, 2.5};
  std::vector<double> found(steps.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < steps.size(); ++k) threads.emplace_back([&, k] { found[k] = sum(steps[k]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < steps.size(); ++k) EXPECT_EQ(found[k], sum(steps[k]));
}

TEST(FrozenGraph, SubstitutesExpressionsOfAnyGraph) {
  Graph traced;
  const Expr x = traced.input(0), y = traced.input(1);
  for (int i = 0; i < 50; ++i) sin(x + Expr(static_cast<double>(i)));  // what nobody asks for is left behind
  const FrozenGraph f(traced, std::vector<Expr>{x * y + sin(x), Expr(7.0), -y});
  EXPECT_LT(f.graph().size(), 15);
  EXPECT_EQ(f.operations(), 4);
  Graph graph;
  const Expr z = graph.input(0);
  const std::vector<Expr> out = f(std::vector<Expr>{Expr(2.0) * z, Expr(3.0)});
  const std::vector<double> v = evaluate(graph, out, std::vector<double>{0.25});
  EXPECT_DOUBLE_EQ(v[0], 1.5 + std::sin(0.5));
  EXPECT_EQ(v[1], 7.0);
  EXPECT_EQ(v[2], -3.0);
  EXPECT_TRUE(out[2].is(-3.0));
}

TEST(FrozenGraph, KeepsWhatDidNotWantToBeSimplified) {
  Graph traced;
  const Expr x = traced.input(0), y = traced.input(1);
  const Expr kept = traced.keep(Op::multiply, Expr(2.0) * x, y);
  const FrozenGraph f(traced, std::vector<Expr>{kept, Expr(2.0) * x});
  EXPECT_EQ(f.operations(), 2);
}

TEST(FrozenGraph, TakesNothingNew) {
  Graph traced;
  const FrozenGraph f(traced, std::vector<Expr>{sin(traced.input(0))});
  EXPECT_THROW(exp(f.outputs()[0]), std::logic_error);
}

}  // namespace
}  // namespace cardan
