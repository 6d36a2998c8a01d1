// The D* way of differentiating; see differentiate.hpp.
#pragma once

#include "cardan/symbolic/expr.hpp"

namespace cardan {

std::vector<Expr> dstar(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs);

}  // namespace cardan
