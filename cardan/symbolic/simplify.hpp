// What is known about an operation before it becomes a node. Rules look at operands only one or two levels down, so
// that tracing stays quick: constants are folded, zeros and ones vanish, signs move outward, sums of like terms and
// sin^2 + cos^2 are collected. As usual in symbolic work, x * 0 is 0 and x / x is 1.
#pragma once

#include "cardan/symbolic/graph.hpp"

namespace cardan {

struct Simplifier {
  Graph& g;

  NodeId make(Op op, NodeId a, NodeId b, NodeId c, NodeId d);

 private:
  NodeId add(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId multiply(NodeId a, NodeId b);
  NodeId divide(NodeId a, NodeId b);
  NodeId negate(NodeId a);
  NodeId unary(Op op, NodeId a);
  NodeId select(NodeId a, NodeId b, NodeId c, NodeId d);

  NodeId node(Op op, NodeId a, NodeId b = 0, NodeId c = 0, NodeId d = 0);
  NodeId number(double value) { return g.constant(value); }
  bool is(NodeId e, Op op) const { return g[e].op == op; }
  NodeId arg(NodeId e, int i) const { return g[e].arg[i]; }
  /// e as coefficient times the rest.
  struct Term {
    double coefficient;
    NodeId rest;
  };
  Term term(NodeId e) const;
  NodeId scale(double coefficient, NodeId rest);
  bool makes_one(NodeId a, NodeId b) const;
};

}  // namespace cardan
