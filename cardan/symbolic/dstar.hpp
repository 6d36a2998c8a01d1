// The D* way of differentiating; see differentiate.hpp.
#pragma once

#include "cardan/symbolic/directions.hpp"

namespace cardan {

/// Larger graphs are differentiated forward or in reverse: D* looks at pairs of nodes.
inline constexpr std::size_t kMostDstarNodes = 4000;

/// The derivatives in all directions, output by output.
std::vector<Expr> dstar(Graph& graph, std::span<const Expr> outputs, const Directions& directions);

}  // namespace cardan
