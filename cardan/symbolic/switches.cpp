#include "cardan/symbolic/switches.hpp"

#include <algorithm>

namespace cardan {

double choose(Op op, double a, double b) {
  if (op == Op::select_less) return a < b ? 1.0 : 0.0;
  return evaluate(op, a, b, 0.0, 0.0);
}

std::vector<Dependence> dependences(const Graph& graph, const std::vector<bool>& is_time) {
  std::vector<Dependence> out(static_cast<std::size_t>(graph.size()), Dependence::none);
  for (NodeId id = 0; id < graph.size(); ++id) {  // operands come first
    const Node& n = graph[id];
    Dependence& depends = out[static_cast<std::size_t>(id)];
    if (n.op == Op::input) depends = is_time[static_cast<std::size_t>(n.index)] ? Dependence::time : Dependence::state;
    for (int k = 0; k < arity(n.op); ++k) depends = std::max(depends, out[static_cast<std::size_t>(n.arg[k])]);
  }
  return out;
}

std::vector<Switch> find_switches(Graph& graph, std::span<const Expr> outputs, const std::vector<Dependence>& depends) {
  std::vector<Switch> out;
  for (const NodeId id : reachable(graph, outputs)) {
    const Node n = graph[id];
    if (n.op != Op::select_less && n.op != Op::floor && n.op != Op::table_piece) continue;
    Dependence on = Dependence::none;
    for (int k = 0; k < std::min(arity(n.op), 2); ++k) on = std::max(on, depends[static_cast<std::size_t>(n.arg[k])]);
    if (on == Dependence::none) continue;
    out.push_back(
        {n.op, id, graph.expr(n.arg[0]), n.op == Op::floor ? Expr() : graph.expr(n.arg[1]), on == Dependence::time});
  }
  return out;
}

}  // namespace cardan
