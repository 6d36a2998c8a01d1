// Expr: a number that remembers how it was computed. Running an algorithm on it records the algorithm as a graph in
// which equal expressions are one node. Every operation simplifies what it is given (see simplify.cpp).
#pragma once

#include "cardan/math/scalar.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace cardan {

enum class Op : std::uint8_t {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  abs,
  sinh,
  cosh,
  tanh,
  min,
  max,
  select_less,  // a < b ? c : d
};

/// How many operands an operation has.
int arity(Op op);
const char* name(Op op);
/// The operation on numbers; what the interpreter and constant folding use.
double evaluate(Op op, double a, double b, double c, double d);

/// A node of a graph; copies are cheap. The default is zero.
struct Expr {
  std::int32_t id = 0;

  Expr() = default;
  explicit Expr(double value);
  void operator+=(Expr b);
  void operator-=(Expr b);
};

struct Node {
  Op op = Op::constant;
  Expr arg[4];
  double value = 0.0;  // of a constant
  int index = 0;       // of an input
};

/// Too many nodes: what a hostile text would cause.
struct GraphTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All expressions of one tracing. Operands always have lower numbers than what is computed from them.
class Graph {
 public:
  explicit Graph(std::size_t most_nodes = 20'000'000);
  /// The graph that operations on this thread go to: the innermost Tracing's, or one that always exists.
  static Graph& current();

  Expr constant(double value);
  Expr input(int index);
  /// The operation, simplified.
  Expr make(Op op, Expr a, Expr b = {}, Expr c = {}, Expr d = {});
  /// A sum or product as it stands.
  Expr keep(Op op, Expr a, Expr b);

  const Node& operator[](Expr e) const { return nodes_[static_cast<std::size_t>(e.id)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  bool is_constant(Expr e) const { return (*this)[e].op == Op::constant; }
  bool is(Expr e, double value) const { return is_constant(e) && (*this)[e].value == value; }

  static constexpr int zero = 0, one = 1, minus_one = 2;

 private:
  friend struct Simplifier;
  Expr intern(const Node& node);
  void grow_table();

  std::vector<Node> nodes_;
  std::vector<std::int32_t> table_;  // hash table of node numbers, -1: empty
  std::size_t most_nodes_;
};

/// While it lives, operations on this thread go to the graph.
class Tracing {
 public:
  explicit Tracing(Graph& graph);
  ~Tracing();
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  Graph* previous_;
};

inline Expr operator+(Expr a, Expr b) { return Graph::current().make(Op::add, a, b); }
inline Expr operator-(Expr a, Expr b) { return Graph::current().make(Op::subtract, a, b); }
inline Expr operator*(Expr a, Expr b) { return Graph::current().make(Op::multiply, a, b); }
inline Expr operator/(Expr a, Expr b) { return Graph::current().make(Op::divide, a, b); }
inline Expr operator-(Expr a) { return Graph::current().make(Op::negate, a); }
inline void Expr::operator+=(Expr b) { *this = *this + b; }
inline void Expr::operator-=(Expr b) { *this = *this - b; }
inline Expr sin(Expr a) { return Graph::current().make(Op::sin, a); }
inline Expr cos(Expr a) { return Graph::current().make(Op::cos, a); }
inline Expr tan(Expr a) { return Graph::current().make(Op::tan, a); }
inline Expr asin(Expr a) { return Graph::current().make(Op::asin, a); }
inline Expr acos(Expr a) { return Graph::current().make(Op::acos, a); }
inline Expr atan(Expr a) { return Graph::current().make(Op::atan, a); }
inline Expr atan2(Expr y, Expr x) { return Graph::current().make(Op::atan2, y, x); }
inline Expr sqrt(Expr a) { return Graph::current().make(Op::sqrt, a); }
inline Expr exp(Expr a) { return Graph::current().make(Op::exp, a); }
inline Expr log(Expr a) { return Graph::current().make(Op::log, a); }
inline Expr abs(Expr a) { return Graph::current().make(Op::abs, a); }
inline Expr sinh(Expr a) { return Graph::current().make(Op::sinh, a); }
inline Expr cosh(Expr a) { return Graph::current().make(Op::cosh, a); }
inline Expr tanh(Expr a) { return Graph::current().make(Op::tanh, a); }
inline Expr min(Expr a, Expr b) { return Graph::current().make(Op::min, a, b); }
inline Expr max(Expr a, Expr b) { return Graph::current().make(Op::max, a, b); }
inline Expr select_less(Expr a, Expr b, Expr if_less, Expr otherwise) {
  return Graph::current().make(Op::select_less, a, b, if_less, otherwise);
}

static_assert(Scalar<Expr>);

/// The nodes that the outputs need, operands first.
std::vector<Expr> reachable(const Graph& graph, std::span<const Expr> outputs);

/// The same nodes in the order in which the outputs ask for them: what is computed is soon used.
std::vector<Expr> depth_first(const Graph& graph, std::span<const Expr> outputs);

/// Values of the outputs at the given inputs, one after the other: the slow and plain way.
std::vector<double> evaluate(const Graph& graph, std::span<const Expr> outputs, std::span<const double> inputs);

/// Operations that computing the outputs takes, each shared one once.
struct ExprCount {
  int additions = 0, multiplications = 0, divisions = 0, others = 0;  // negations are free
  int total() const { return additions + multiplications + divisions + others; }
};
ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs);
/// The same of two lists together.
ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs, std::span<const Expr> more);

}  // namespace cardan
