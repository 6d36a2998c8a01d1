#include "cardan/symbolic/differentiate.hpp"

#include "cardan/symbolic/dstar.hpp"

namespace cardan {

Expr partial(Graph& graph, NodeId node, int k) {
  const Node n = graph[node];  // a copy: the graph grows while we build
  const Expr e = graph.expr(node), a = graph.expr(n.arg[0]), b = graph.expr(n.arg[1]), one(1.0), zero(0.0);
  switch (n.op) {
    case Op::constant:
    case Op::input: return zero;
    case Op::add: return one;
    case Op::subtract: return k == 0 ? one : Expr(-1.0);
    case Op::multiply: return k == 0 ? b : a;
    case Op::divide: return k == 0 ? one / b : -(e / b);
    case Op::negate: return Expr(-1.0);
    case Op::sin: return cos(a);
    case Op::cos: return -sin(a);
    case Op::tan: return one + e * e;
    case Op::asin: return one / sqrt(one - a * a);
    case Op::acos: return -(one / sqrt(one - a * a));
    case Op::atan: return one / (one + a * a);
    case Op::atan2: {
      const Expr square = a * a + b * b;
      return k == 0 ? b / square : -(a / square);
    }
    case Op::sqrt: return Expr(0.5) / e;
    case Op::exp: return e;
    case Op::log: return one / a;
    case Op::abs: return select_less(a, zero, Expr(-1.0), one);
    case Op::sinh: return cosh(a);
    case Op::cosh: return sinh(a);
    case Op::tanh: return one - e * e;
    case Op::pow: return k == 0 ? b * pow(a, b - one) : zero;  // b is a constant
    case Op::floor:
    case Op::table_piece:
    case Op::table_entry: return zero;  // constant but for its steps
    case Op::min: return k == 0 ? select_less(b, a, zero, one) : select_less(b, a, one, zero);
    case Op::max: return k == 0 ? select_less(a, b, zero, one) : select_less(a, b, one, zero);
    case Op::select_less:
      if (k < 2) return zero;
      return k == 2 ? select_less(a, b, one, zero) : select_less(a, b, zero, one);
  }
  return zero;
}

namespace {

/// derivative[node] over the nodes that the outputs need.
struct Table {
  std::vector<Expr> value;
  explicit Table(const std::vector<NodeId>& order)
      : value(order.empty() ? 0 : static_cast<std::size_t>(order.back()) + 1) {}
  Expr& operator[](NodeId node) { return value[static_cast<std::size_t>(node)]; }
};

/// True for an operation that is one of its operands or another, and both may move.
bool is_choice(const Graph& g, NodeId e) {
  const Node& n = g[e];
  if (n.op == Op::select_less) return !g.is_constant(n.arg[2]) || !g.is_constant(n.arg[3]);
  return n.op == Op::min || n.op == Op::max;
}

/// The derivative of a choice: that of the branch taken. A sum over both branches, one of them times zero, would be
/// undefined where the branch not taken is.
Expr chosen(Graph& g, NodeId e, Table& dot) {
  const Node n = g[e];
  const Expr a = g.expr(n.arg[0]), b = g.expr(n.arg[1]);
  if (n.op == Op::select_less) return select_less(a, b, dot[n.arg[2]], dot[n.arg[3]]);
  return n.op == Op::min ? select_less(b, a, dot[n.arg[1]], dot[n.arg[0]])
                         : select_less(a, b, dot[n.arg[1]], dot[n.arg[0]]);
}

/// Calls each(k, dot) with the derivatives of all nodes in one direction after the other.
template <class Each>
void along_directions(Graph& g, const Directions& directions, const std::vector<NodeId>& order, const Each& each) {
  for (std::size_t k = 0; k < directions.count(); ++k) {
    Table dot(order);
    for (const NodeId e : order) {
      if (const auto* rates = directions.find(e)) {  // differentiation stops at inputs
        dot[e] = (*rates)[k];
      } else if (is_choice(g, e)) {
        dot[e] = chosen(g, e, dot);
      } else {
        const Node n = g[e];
        for (int i = 0; i < arity(n.op); ++i)
          if (!dot[n.arg[i]].is(0.0)) dot[e] += partial(g, e, i) * dot[n.arg[i]];
      }
    }
    each(k, dot);
  }
}

/// Takes choices for inputs whose rates are known, because the other ways of differentiating add up both branches.
Directions with_choices(Graph& g, Directions directions, const std::vector<NodeId>& order) {
  std::vector<NodeId> choices;
  for (const NodeId e : order)
    if (is_choice(g, e)) choices.push_back(e);
  if (choices.empty()) return directions;
  Directions out = directions;
  along_directions(g, directions, order, [&](std::size_t k, Table& dot) {
    for (const NodeId e : choices)
      if (directions.find(e) == nullptr) out.set(e, k, dot[e]);
  });
  return out;
}

std::vector<Expr> forward(Graph& g, std::span<const Expr> outputs, const Directions& directions,
                          const std::vector<NodeId>& order) {
  std::vector<Expr> J(outputs.size() * directions.count());
  along_directions(g, directions, order, [&](std::size_t k, Table& dot) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!outputs[i].is_constant()) J[i * directions.count() + k] = dot[outputs[i].id()];
  });
  return J;
}

std::vector<Expr> reverse(Graph& g, std::span<const Expr> outputs, const Directions& directions,
                          const std::vector<NodeId>& order) {
  std::vector<Expr> J(outputs.size() * directions.count());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].is_constant()) continue;
    Table bar(order);
    bar[outputs[i].id()] = Expr(1.0);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (bar[*it].is(0.0)) continue;
      if (const auto* rates = directions.find(*it)) {
        for (std::size_t k = 0; k < directions.count(); ++k) J[i * directions.count() + k] += bar[*it] * (*rates)[k];
        continue;
      }
      const Node n = g[*it];
      for (int k = 0; k < arity(n.op); ++k)
        if (!g.is_constant(n.arg[k])) bar[n.arg[k]] += bar[*it] * partial(g, *it, k);
    }
  }
  return J;
}

std::vector<Expr> differentiate(Graph& graph, std::span<const Expr> outputs, const Directions& inputs,
                                Differentiation way) {
  const std::vector<NodeId> order = reachable(graph, outputs);
  if (way == Differentiation::forward) return forward(graph, outputs, inputs, order);
  const Directions directions = with_choices(graph, inputs, order);
  switch (way) {
    case Differentiation::forward:
    case Differentiation::reverse: return reverse(graph, outputs, directions, order);
    case Differentiation::dstar: break;
  }
  if (order.size() <= kMostDstarNodes) return dstar(graph, outputs, directions);
  const std::vector<Expr> a = forward(graph, outputs, directions, order),
                          b = reverse(graph, outputs, directions, order);
  return count_operations(graph, outputs, a).total() <= count_operations(graph, outputs, b).total() ? a : b;
}

CheapestJacobian cheapest(Graph& graph, std::span<const Expr> outputs, const Directions& directions) {
  CheapestJacobian best;
  for (const auto way : {Differentiation::forward, Differentiation::reverse, Differentiation::dstar}) {
    const std::vector<Expr> entries = differentiate(graph, outputs, directions, way);
    const int operations = count_operations(graph, outputs, entries).total();
    best.operations[static_cast<int>(way)] = operations;
    if (way == Differentiation::forward || operations < best.operations[static_cast<int>(best.way)]) {
      best.entries = entries;
      best.way = way;
    }
  }
  return best;
}

}  // namespace

std::vector<Expr> jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                           Differentiation way) {
  return differentiate(graph, outputs, Directions(graph, inputs), way);
}

std::vector<Expr> derivative_along(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                                   std::span<const Expr> rates, Differentiation way) {
  return differentiate(graph, outputs, Directions(graph, inputs, rates), way);
}

CheapestJacobian cheapest_jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs) {
  return cheapest(graph, outputs, Directions(graph, inputs));
}

CheapestJacobian cheapest_derivative_along(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                                           std::span<const Expr> rates) {
  return cheapest(graph, outputs, Directions(graph, inputs, rates));
}

Vec3<Expr> derivative(const Vec3<Expr>& a, Expr by) {
  if (by.is_constant()) return {};
  const std::vector<Expr> d = jacobian(*by.graph(), a.e, std::span(&by, 1), Differentiation::forward);
  return {d[0], d[1], d[2]};
}

}  // namespace cardan
