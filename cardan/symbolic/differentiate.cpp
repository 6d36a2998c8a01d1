#include "cardan/symbolic/differentiate.hpp"

#include "cardan/symbolic/dstar.hpp"

#include <algorithm>

namespace cardan {

Expr partial(Graph& graph, Expr e, int k) {
  const Recording to_this(graph);
  const Node n = graph[e];  // a copy: the graph grows while we build
  const Expr a = n.arg[0], b = n.arg[1], one(1.0), zero(0.0);
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
  explicit Table(const std::vector<Expr>& order)
      : value(order.empty() ? 0 : static_cast<std::size_t>(order.back().id) + 1) {}
  Expr& operator[](Expr e) { return value[static_cast<std::size_t>(e.id)]; }
};

std::vector<Expr> forward(Graph& g, std::span<const Expr> outputs, std::span<const Expr> inputs,
                          const std::vector<Expr>& order) {
  std::vector<Expr> J(outputs.size() * inputs.size());
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    Table dot(order);
    for (const Expr e : order) {
      if (e.id == inputs[j].id) {
        dot[e] = Expr(1.0);
        continue;
      }
      const Node n = g[e];
      for (int k = 0; k < arity(n.op); ++k)
        if (dot[n.arg[k]].id != Graph::zero) dot[e] += partial(g, e, k) * dot[n.arg[k]];
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) J[i * inputs.size() + j] = dot[outputs[i]];
  }
  return J;
}

std::vector<Expr> reverse(Graph& g, std::span<const Expr> outputs, std::span<const Expr> inputs,
                          const std::vector<Expr>& order) {
  std::vector<Expr> J(outputs.size() * inputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Table bar(order);
    bar[outputs[i]] = Expr(1.0);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (bar[*it].id == Graph::zero) continue;
      const bool is_input = std::any_of(inputs.begin(), inputs.end(), [&](Expr x) { return x.id == it->id; });
      if (is_input) continue;
      const Node n = g[*it];
      for (int k = 0; k < arity(n.op); ++k)
        if (!g.is_constant(n.arg[k])) bar[n.arg[k]] += bar[*it] * partial(g, *it, k);
    }
    for (std::size_t j = 0; j < inputs.size(); ++j)
      if (static_cast<std::size_t>(inputs[j].id) < bar.value.size()) J[i * inputs.size() + j] = bar[inputs[j]];
  }
  return J;
}

}  // namespace

std::vector<Expr> jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs,
                           Differentiation way) {
  const Recording to_this(graph);
  const std::vector<Expr> order = reachable(graph, outputs);
  switch (way) {
    case Differentiation::forward: return forward(graph, outputs, inputs, order);
    case Differentiation::reverse: return reverse(graph, outputs, inputs, order);
    case Differentiation::dstar: return dstar(graph, outputs, inputs);
  }
  return {};
}

CheapestJacobian cheapest_jacobian(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs) {
  CheapestJacobian best;
  for (const auto way : {Differentiation::forward, Differentiation::reverse, Differentiation::dstar}) {
    const std::vector<Expr> entries = jacobian(graph, outputs, inputs, way);
    std::vector<Expr> all(outputs.begin(), outputs.end());
    all.insert(all.end(), entries.begin(), entries.end());
    const int operations = count_operations(graph, all).total();
    best.operations[static_cast<int>(way)] = operations;
    if (way == Differentiation::forward || operations < best.operations[static_cast<int>(best.way)]) {
      best.entries = entries;
      best.way = way;
    }
  }
  return best;
}

Vec3<Expr> derivative(const Vec3<Expr>& a, Expr by) {
  const std::vector<Expr> d = jacobian(Graph::current(), a.e, std::span(&by, 1), Differentiation::forward);
  return {d[0], d[1], d[2]};
}

}  // namespace cardan
