// Sums and products in a cheaper order: a*b + a*c becomes a*(b + c), and sub-products and sub-sums that several
// expressions have in common are computed once.
#pragma once

#include "cardan/symbolic/graph.hpp"

namespace cardan {

/// Expressions equal to `wanted` that take no more operations, counted together with `given`, which stays as it is.
std::vector<Expr> factor(Graph& graph, std::span<const Expr> given, std::span<const Expr> wanted);

}  // namespace cardan
