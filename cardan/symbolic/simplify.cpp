#include "cardan/symbolic/simplify.hpp"

#include <utility>

namespace cardan {

NodeId Simplifier::node(Op op, NodeId a, NodeId b, NodeId c, NodeId d) {
  Node n;
  n.op = op;
  n.arg[0] = a;
  n.arg[1] = b;
  n.arg[2] = c;
  n.arg[3] = d;
  return g.intern(n);
}

NodeId Simplifier::make(Op op, NodeId a, NodeId b, NodeId c, NodeId d) {
  switch (op) {
    case Op::add: return add(a, b);
    case Op::subtract: return subtract(a, b);
    case Op::multiply: return multiply(a, b);
    case Op::divide: return divide(a, b);
    case Op::negate: return negate(a);
    case Op::select_less: return select(a, b, c, d);
    case Op::atan2:
    case Op::pow:
    case Op::table_piece:
    case Op::table_entry: return node(op, a, b);
    case Op::min:
    case Op::max:
      if (a == b) return a;
      if (b < a) std::swap(a, b);
      return node(op, a, b);
    default: return unary(op, a);
  }
}

Simplifier::Term Simplifier::term(NodeId e) const {
  if (is(e, Op::negate)) {
    const Term inner = term(arg(e, 0));
    return {-inner.coefficient, inner.rest};
  }
  if (is(e, Op::multiply) && g.is_constant(arg(e, 0))) return {g[arg(e, 0)].value, arg(e, 1)};
  return {1.0, e};
}

NodeId Simplifier::scale(double coefficient, NodeId rest) { return multiply(number(coefficient), rest); }

/// sin^2(x) + cos^2(x).
bool Simplifier::makes_one(NodeId a, NodeId b) const {
  if (!is(a, Op::multiply) || !is(b, Op::multiply)) return false;
  if (arg(a, 0) != arg(a, 1) || arg(b, 0) != arg(b, 1)) return false;
  const NodeId x = arg(a, 0), y = arg(b, 0);
  const bool pair = (is(x, Op::sin) && is(y, Op::cos)) || (is(x, Op::cos) && is(y, Op::sin));
  return pair && arg(x, 0) == arg(y, 0);
}

NodeId Simplifier::add(NodeId a, NodeId b) {
  if (a == Graph::zero) return b;
  if (b == Graph::zero) return a;
  const Term s = term(a), t = term(b);
  if (s.rest == t.rest) return scale(s.coefficient + t.coefficient, s.rest);
  if (s.coefficient == t.coefficient && makes_one(s.rest, t.rest)) return number(s.coefficient);
  if (is(b, Op::negate)) return subtract(a, arg(b, 0));
  if (is(a, Op::negate)) return subtract(b, arg(a, 0));
  if (is(a, Op::subtract) && arg(a, 1) == b) return arg(a, 0);
  if (is(b, Op::subtract) && arg(b, 1) == a) return arg(b, 0);
  if (b < a) std::swap(a, b);
  return node(Op::add, a, b);
}

NodeId Simplifier::subtract(NodeId a, NodeId b) {
  if (b == Graph::zero) return a;
  if (a == Graph::zero) return negate(b);
  const Term s = term(a), t = term(b);
  if (s.rest == t.rest) return scale(s.coefficient - t.coefficient, s.rest);
  if (is(b, Op::negate)) return add(a, arg(b, 0));
  if (is(a, Op::negate)) return negate(add(arg(a, 0), b));
  if (is(a, Op::add)) {
    if (arg(a, 0) == b) return arg(a, 1);
    if (arg(a, 1) == b) return arg(a, 0);
  }
  if (is(b, Op::add)) {
    if (arg(b, 0) == a) return negate(arg(b, 1));
    if (arg(b, 1) == a) return negate(arg(b, 0));
  }
  return node(Op::subtract, a, b);
}

NodeId Simplifier::multiply(NodeId a, NodeId b) {
  if (g.is_constant(b)) std::swap(a, b);
  if (a == Graph::zero) return a;
  if (a == Graph::one) return b;
  if (a == Graph::minus_one) return negate(b);
  if (g.is_constant(a)) {
    if (g.is_constant(b)) return number(g[a].value * g[b].value);
    if (is(b, Op::negate)) return scale(-g[a].value, arg(b, 0));
    if (is(b, Op::multiply) && g.is_constant(arg(b, 0))) return scale(g[a].value * g[arg(b, 0)].value, arg(b, 1));
    return node(Op::multiply, a, b);
  }
  // signs and constants move outward, where they meet others of their kind
  if (is(a, Op::negate) && is(b, Op::negate)) return multiply(arg(a, 0), arg(b, 0));
  if (is(a, Op::negate)) return negate(multiply(arg(a, 0), b));
  if (is(b, Op::negate)) return negate(multiply(a, arg(b, 0)));
  if (is(a, Op::multiply) && g.is_constant(arg(a, 0))) return multiply(arg(a, 0), multiply(arg(a, 1), b));
  if (is(b, Op::multiply) && g.is_constant(arg(b, 0))) return multiply(arg(b, 0), multiply(a, arg(b, 1)));
  if (is(a, Op::sqrt) && a == b) return arg(a, 0);
  if (is(b, Op::divide) && arg(b, 1) == a) return arg(b, 0);
  if (is(a, Op::divide) && arg(a, 1) == b) return arg(a, 0);
  if (b < a) std::swap(a, b);
  return node(Op::multiply, a, b);
}

NodeId Simplifier::divide(NodeId a, NodeId b) {
  if (a == Graph::zero) return a;
  if (b == Graph::one) return a;
  if (a == b) return number(1.0);
  if (g.is_constant(b) && g[b].value != 0.0) return multiply(number(1.0 / g[b].value), a);
  if (is(a, Op::negate)) return negate(divide(arg(a, 0), b));
  if (is(b, Op::negate)) return negate(divide(a, arg(b, 0)));
  return node(Op::divide, a, b);
}

NodeId Simplifier::negate(NodeId a) {
  if (g.is_constant(a)) return number(-g[a].value);
  if (is(a, Op::negate)) return arg(a, 0);
  if (is(a, Op::subtract)) return subtract(arg(a, 1), arg(a, 0));
  if (is(a, Op::multiply) && g.is_constant(arg(a, 0))) return scale(-g[arg(a, 0)].value, arg(a, 1));
  return node(Op::negate, a);
}

NodeId Simplifier::unary(Op op, NodeId a) {
  if (is(a, Op::negate)) switch (op) {
      case Op::cos:
      case Op::cosh:
      case Op::abs: return unary(op, arg(a, 0));
      case Op::sin:
      case Op::tan:
      case Op::asin:
      case Op::atan:
      case Op::sinh:
      case Op::tanh: return negate(unary(op, arg(a, 0)));
      default: break;
    }
  if (is(a, Op::multiply) && arg(a, 0) == arg(a, 1)) {  // a square; its root has a slope where x = 0 is a double zero
    if (op == Op::sqrt) return unary(Op::abs, arg(a, 0));
    if (op == Op::abs) return a;
  }
  return node(op, a);
}

NodeId Simplifier::select(NodeId a, NodeId b, NodeId c, NodeId d) {
  if (c == d) return c;
  if (g.is_constant(a) && g.is_constant(b)) return g[a].value < g[b].value ? c : d;
  if (a == b) return d;
  return node(Op::select_less, a, b, c, d);
}

}  // namespace cardan
