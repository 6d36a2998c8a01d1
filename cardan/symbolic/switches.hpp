// Where expressions jump: operations that choose (if, sign), floor (ceil, mod) and the pieces of tables. Each is a
// switch: between two numbers that it compares, or at the thresholds of one.
#pragma once

#include "cardan/symbolic/graph.hpp"

#include <vector>

namespace cardan {

struct Switch {
  Op op = Op::select_less;  // or floor, table_piece
  NodeId node = 0;          // that jumps
  Expr a{}, b{};            // select_less compares both; of the others a alone counts, and b is the table
  bool of_time = false;     // a and b depend on nothing else
};
/// Computes what a switch chooses: 1 or 0 of a comparison, else the whole number.
double choose(Op op, double a, double b);

/// What an expression depends on.
enum class Dependence { none, time, state };

/// Tells for every node of the graph what it depends on; `is_time` says which inputs are the time.
std::vector<Dependence> dependences(const Graph& graph, const std::vector<bool>& is_time);

/// Lists the switches that the outputs need.
std::vector<Switch> find_switches(Graph& graph, std::span<const Expr> outputs, const std::vector<Dependence>& depends);

}  // namespace cardan
