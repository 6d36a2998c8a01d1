// Expr: a number that remembers how it was computed. Running an algorithm on it records the algorithm in a graph (see
// graph.hpp) in which equal expressions are one node. Every operation simplifies what it is given (see simplify.cpp).
#pragma once

#include "cardan/math/scalar.hpp"
#include "cardan/symbolic/operation.hpp"

#include <stdexcept>

namespace cardan {

class Graph;
/// A node's number in its graph.
using NodeId = std::int32_t;

/// An operation was given expressions of two graphs, whose nodes have nothing to do with one another.
struct GraphMismatch : std::logic_error {
  GraphMismatch() : std::logic_error("expressions of two different graphs cannot be combined") {}
};

/// A constant, which belongs to no graph and may be used with any, or a node of one graph, which must outlive its use;
/// a node is never a constant. Copies are cheap. The default is zero.
class Expr {
 public:
  Expr() : value_(0.0) {}
  explicit Expr(double value) : value_(value == 0.0 ? 0.0 : value) {}  // no second zero with a sign

  bool is_constant() const { return graph_ == nullptr; }
  /// Compares with a number: false for every node.
  bool is(double value) const { return is_constant() && value_ == value; }
  /// The number that a constant is.
  double value() const { return value_; }
  /// The graph that a node belongs to; null for a constant.
  Graph* graph() const { return graph_; }
  NodeId id() const { return node_.id; }
  /// Compares the graphs of two nodes, of which either may have ceased to exist.
  bool shares_graph(Expr other) const {
    return graph_ == other.graph_ && node_.graph_number == other.node_.graph_number;
  }

  void operator+=(Expr b);
  void operator-=(Expr b);

 private:
  friend class Graph;
  struct NodeRef {
    NodeId id;
    std::uint32_t graph_number;  // another graph may come to lie where one has been
  };
  Expr(Graph& graph, NodeRef node) : graph_(&graph), node_(node) {}

  Graph* graph_ = nullptr;
  union {
    double value_;  // without a graph
    NodeRef node_;  // in a graph
  };
};

/// Compares expressions as such: equal constants, or one node.
inline bool identical(Expr a, Expr b) {
  if (a.is_constant() || b.is_constant()) return b.is_constant() && a.is(b.value());
  return a.shares_graph(b) && a.id() == b.id();
}

/// Records an operation in the graph of its operands, or computes it at once if all are constants. Throws GraphMismatch
/// if the operands belong to different graphs.
Expr apply(Op op, Expr a, Expr b = {}, Expr c = {}, Expr d = {});

inline Expr operator+(Expr a, Expr b) { return apply(Op::add, a, b); }
inline Expr operator-(Expr a, Expr b) { return apply(Op::subtract, a, b); }
inline Expr operator*(Expr a, Expr b) { return apply(Op::multiply, a, b); }
inline Expr operator/(Expr a, Expr b) { return apply(Op::divide, a, b); }
inline Expr operator-(Expr a) { return apply(Op::negate, a); }
inline void Expr::operator+=(Expr b) { *this = *this + b; }
inline void Expr::operator-=(Expr b) { *this = *this - b; }
inline Expr sin(Expr a) { return apply(Op::sin, a); }
inline Expr cos(Expr a) { return apply(Op::cos, a); }
inline Expr tan(Expr a) { return apply(Op::tan, a); }
inline Expr asin(Expr a) { return apply(Op::asin, a); }
inline Expr acos(Expr a) { return apply(Op::acos, a); }
inline Expr atan(Expr a) { return apply(Op::atan, a); }
inline Expr atan2(Expr y, Expr x) { return apply(Op::atan2, y, x); }
inline Expr sqrt(Expr a) { return apply(Op::sqrt, a); }
inline Expr exp(Expr a) { return apply(Op::exp, a); }
inline Expr log(Expr a) { return apply(Op::log, a); }
inline Expr abs(Expr a) { return apply(Op::abs, a); }
inline Expr sinh(Expr a) { return apply(Op::sinh, a); }
inline Expr cosh(Expr a) { return apply(Op::cosh, a); }
inline Expr tanh(Expr a) { return apply(Op::tanh, a); }
inline Expr floor(Expr a) { return apply(Op::floor, a); }
/// The piece of a list that x lies in, and the entry of a list (see math/number_table.hpp); lists by number.
inline Expr table_piece(Expr x, double table) { return apply(Op::table_piece, x, Expr(table)); }
inline Expr table_entry(Expr i, double table) { return apply(Op::table_entry, i, Expr(table)); }
inline Expr min(Expr a, Expr b) { return apply(Op::min, a, b); }
inline Expr max(Expr a, Expr b) { return apply(Op::max, a, b); }
/// a^b: by multiplications where b is a whole constant, a square root where it is a half, one operation for any other
/// constant; else exp(b log(a)).
Expr pow(Expr a, Expr b);
inline Expr select_less(Expr a, Expr b, Expr if_less, Expr otherwise) {
  return apply(Op::select_less, a, b, if_less, otherwise);
}

static_assert(Scalar<Expr>);

}  // namespace cardan
