#include "cardan/symbolic/frozen_graph.hpp"

namespace cardan {

namespace {

/// Computes the outputs of a graph anew: inputs become what `input` gives for them, operations what `make` does.
template <class Input, class Make>
std::vector<Expr> rebuild(const Graph& graph, std::span<const NodeId> order, std::span<const Expr> outputs,
                          const Input& input, const Make& make) {
  std::vector<Expr> now(static_cast<std::size_t>(graph.size()));
  const auto at = [&now](NodeId id) -> Expr& { return now[static_cast<std::size_t>(id)]; };
  for (const NodeId id : order) {
    const Node& n = graph[id];
    if (n.op == Op::constant)
      at(id) = Expr(n.value);
    else if (n.op == Op::input)
      at(id) = input(n.index);
    else
      at(id) = make(n.op, at(n.arg[0]), at(n.arg[1]), at(n.arg[2]), at(n.arg[3]));
  }
  std::vector<Expr> out;
  for (const Expr e : outputs) out.push_back(e.is_constant() ? e : at(e.id()));
  return out;
}

}  // namespace

FrozenGraph::FrozenGraph(const Graph& from, std::span<const Expr> outputs) {
  const auto to = std::make_shared<Graph>();
  outputs_ = rebuild(
      from, depth_first(from, outputs), outputs, [&](int index) { return to->input(index); },
      [&](Op op, Expr a, Expr b, Expr c, Expr d) {
        ++operations_;
        return to->keep(op, a, b, c, d);
      });
  to->freeze();
  graph_ = to;
}

std::vector<Expr> FrozenGraph::operator()(std::span<const Expr> inputs) const {
  return rebuild(
      *graph_, reachable(*graph_, outputs_), outputs_,
      [&](int index) { return inputs[static_cast<std::size_t>(index)]; }, apply);
}

}  // namespace cardan
