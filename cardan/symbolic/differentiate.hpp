// Jacobians of expressions in three ways. Forward and reverse propagate derivatives from the inputs and from the
// outputs. D* (Guenter 2007) looks at the derivative graph, whose edges are the partial derivatives of operations: the
// derivative of an output by an input is the sum over paths of products of edges. It is factored at the nodes that all
// paths pass (dominators and post-dominators), so that sums and products which several entries share are computed once.
#pragma once

#include "cardan/math/vector.hpp"
#include "cardan/symbolic/graph.hpp"

#include <span>
#include <vector>

namespace cardan {

enum class Differentiation { forward, reverse, dstar };

/// d outputs / d inputs, row by row. The inputs may be any nodes.
std::vector<Expr> jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                           Differentiation way);

/// d outputs / dt where the inputs move at the given rates: the Jacobian times the rates, without the Jacobian.
std::vector<Expr> derivative_along(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                                   std::span<const Expr> rates, Differentiation way);

/// The way that takes the fewest operations, outputs and their derivatives together.
struct CheapestJacobian {
  std::vector<Expr> entries;
  Differentiation way;
  int operations[3];  // by way
};
CheapestJacobian cheapest_jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs);
CheapestJacobian cheapest_derivative_along(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                                           std::span<const Expr> rates);

/// Differentiates a vector by one input.
Vec3<Expr> derivative(const Vec3<Expr>& a, Expr by);

/// Differentiates the operation that a node is by its k-th operand.
Expr partial(Graph& graph, NodeId node, int k);

}  // namespace cardan
