// What is known about an operation before it becomes a node. Rules look at operands only one or two levels down, so
// that tracing stays quick: constants are folded, zeros and ones vanish, signs move outward, sums of like terms and
// sin^2 + cos^2 are collected. As usual in symbolic work, x * 0 is 0 and x / x is 1.
#pragma once

#include "cardan/symbolic/expr.hpp"

namespace cardan {

struct Simplifier {
  Graph& g;

  Expr make(Op op, Expr a, Expr b, Expr c, Expr d);

 private:
  Expr add(Expr a, Expr b);
  Expr subtract(Expr a, Expr b);
  Expr multiply(Expr a, Expr b);
  Expr divide(Expr a, Expr b);
  Expr negate(Expr a);
  Expr unary(Op op, Expr a);
  Expr select(Expr a, Expr b, Expr c, Expr d);

  Expr node(Op op, Expr a, Expr b = {}, Expr c = {}, Expr d = {});
  Expr number(double value) { return g.constant(value); }
  bool is(Expr e, Op op) const { return g[e].op == op; }
  Expr arg(Expr e, int i) const { return g[e].arg[i]; }
  /// e as coefficient times the rest.
  struct Term {
    double coefficient;
    Expr rest;
  };
  Term term(Expr e) const;
  Expr scale(double coefficient, Expr rest);
  bool makes_one(Expr a, Expr b) const;
};

}  // namespace cardan
