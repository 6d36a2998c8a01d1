// Expressions of numbered inputs that never change again: what is kept of a tracing. Copies share the graph, and any
// number of threads may read it.
#pragma once

#include "cardan/symbolic/graph.hpp"

#include <memory>
#include <span>
#include <vector>

namespace cardan {

class FrozenGraph {
 public:
  FrozenGraph() = default;
  /// Copies what the outputs need out of a graph, as it stands.
  FrozenGraph(const Graph& graph, std::span<const Expr> outputs);

  const Graph& graph() const { return *graph_; }
  const std::vector<Expr>& outputs() const { return outputs_; }
  /// Counts the operations that the outputs take together, signs included.
  int operations() const { return operations_; }

  /// Substitutes expressions for the inputs: the outputs in the graph of these.
  std::vector<Expr> operator()(std::span<const Expr> inputs) const;

 private:
  std::shared_ptr<const Graph> graph_;
  std::vector<Expr> outputs_;
  int operations_ = 0;
};

}  // namespace cardan
