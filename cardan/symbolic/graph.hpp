// The graph that expressions are recorded in: equal operations on equal operands are one node (hash consing). A graph
// is used by one thread at a time; different graphs share nothing.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <span>
#include <vector>

namespace cardan {

struct Node {
  Op op = Op::constant;
  NodeId arg[4] = {};
  double value = 0.0;  // of a constant
  int index = 0;       // of an input
};

/// Too many nodes: what a hostile text would cause.
struct GraphTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All expressions of one tracing. Operands always have lower numbers than what is computed from them. Stays where it
/// is, because its expressions refer to it.
class Graph {
 public:
  explicit Graph(std::size_t most_nodes = 20'000'000);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expr input(int index);
  /// Records an operation, simplified.
  Expr make(Op op, Expr a, Expr b = {}, Expr c = {}, Expr d = {});
  /// Records an operation as it stands.
  Expr keep(Op op, Expr a, Expr b = {}, Expr c = {}, Expr d = {});

  /// The expression that a node is.
  Expr expr(NodeId id);
  /// Finds the node of an expression; a constant that has none yet gets one. Throws GraphMismatch.
  NodeId node(Expr e) { return e.is_constant() ? constant(e.value()) : own(e); }
  /// Finds the node of an expression that is no constant. Throws GraphMismatch.
  NodeId own(Expr e) const {
    if (e.graph_ != this || e.node_.graph_number != number_) throw GraphMismatch();
    return e.node_.id;
  }
  /// Refuses new nodes from now on, so that threads may share what is there. A graph that is full says so by
  /// std::logic_error.
  void freeze() { is_frozen_ = true; }

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  bool is_constant(NodeId id) const { return (*this)[id].op == Op::constant; }

  static constexpr NodeId zero = 0, one = 1, minus_one = 2;

 private:
  friend struct Simplifier;
  NodeId constant(double value);
  NodeId intern(const Node& node);
  void grow_table();

  std::vector<Node> nodes_;
  std::vector<NodeId> table_;  // hash table of node numbers, -1: empty
  std::size_t most_nodes_;
  std::uint32_t number_;  // no other graph has it
  bool is_frozen_ = false;
};

/// Lists the nodes that the outputs need, operands first; outputs that are constants need none.
std::vector<NodeId> reachable(const Graph& graph, std::span<const Expr> outputs);

/// Lists these nodes in the order in which the outputs ask for them: what is computed is soon used.
std::vector<NodeId> depth_first(const Graph& graph, std::span<const Expr> outputs);

/// Evaluates the outputs at the given inputs, node by node: the slow and plain way.
std::vector<double> evaluate(const Graph& graph, std::span<const Expr> outputs, std::span<const double> inputs);

/// Operations that computing the outputs takes, each shared one once.
struct ExprCount {
  int additions = 0, multiplications = 0, divisions = 0, others = 0;  // negations are free
  int total() const { return additions + multiplications + divisions + others; }
};
ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs);
/// Counts the operations of two lists together.
ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs, std::span<const Expr> more);

}  // namespace cardan
