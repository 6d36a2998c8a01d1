#include "cardan/symbolic/expr.hpp"

#include "cardan/symbolic/operation.hpp"
#include "cardan/symbolic/simplify.hpp"

#include <algorithm>
#include <bit>

namespace cardan {

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input: return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::atan2:
    case Op::min:
    case Op::max: return 2;
    case Op::select_less: return 4;
    default: return 1;
  }
}

const char* name(Op op) {
  static constexpr const char* names[] = {"constant", "input", "add",  "subtract", "multiply", "divide",
                                          "negate",   "sin",   "cos",  "tan",      "asin",     "acos",
                                          "atan",     "atan2", "sqrt", "exp",      "log",      "abs",
                                          "sinh",     "cosh",  "tanh", "min",      "max",      "select_less"};
  return names[static_cast<std::size_t>(op)];
}

double evaluate(Op op, double a, double b, double c, double d) { return detail::apply(op, a, b, c, d); }

namespace {

thread_local Graph* tracing = nullptr;

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

std::uint64_t hash_of(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.op) + 0x51ull;
  if (n.op == Op::constant) return mix(h, std::bit_cast<std::uint64_t>(n.value));
  if (n.op == Op::input) return mix(h, static_cast<std::uint64_t>(n.index));
  for (int i = 0; i < arity(n.op); ++i) h = mix(h, static_cast<std::uint32_t>(n.arg[i].id));
  return h;
}

bool same(const Node& a, const Node& b) {
  if (a.op != b.op) return false;
  if (a.op == Op::constant) return std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
  if (a.op == Op::input) return a.index == b.index;
  for (int i = 0; i < arity(a.op); ++i)
    if (a.arg[i].id != b.arg[i].id) return false;
  return true;
}

}  // namespace

Graph::Graph(std::size_t most_nodes) : table_(1024, -1), most_nodes_(most_nodes) {
  constant(0.0);
  constant(1.0);
  constant(-1.0);
}

Graph& Graph::current() {
  if (tracing) return *tracing;
  thread_local Graph always;
  return always;
}

Tracing::Tracing(Graph& graph) : previous_(tracing) { tracing = &graph; }
Tracing::~Tracing() { tracing = previous_; }

Expr::Expr(double value) : id(Graph::current().constant(value).id) {}

Expr Graph::constant(double value) {
  Node n;
  n.value = value == 0.0 ? 0.0 : value;  // no second zero with a sign
  return intern(n);
}

Expr Graph::input(int index) {
  Node n;
  n.op = Op::input;
  n.index = index;
  return intern(n);
}

Expr Graph::make(Op op, Expr a, Expr b, Expr c, Expr d) { return Simplifier{*this}.make(op, a, b, c, d); }

Expr Graph::keep(Op op, Expr a, Expr b) {
  if (b.id < a.id && (op == Op::add || op == Op::multiply)) std::swap(a, b);
  Node n;
  n.op = op;
  n.arg[0] = a;
  n.arg[1] = b;
  return intern(n);
}

Expr Graph::intern(const Node& node) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = hash_of(node) & mask;; slot = (slot + 1) & mask) {
    const std::int32_t found = table_[slot];
    if (found >= 0) {
      if (!same(nodes_[static_cast<std::size_t>(found)], node)) continue;
      Expr e;
      e.id = found;
      return e;
    }
    if (nodes_.size() >= most_nodes_)
      throw GraphTooLarge("the expression needs more than " + std::to_string(most_nodes_) + " operations");
    Expr e;
    e.id = static_cast<std::int32_t>(nodes_.size());
    table_[slot] = e.id;
    nodes_.push_back(node);
    if (2 * nodes_.size() > table_.size()) grow_table();
    return e;
  }
}

void Graph::grow_table() {
  table_.assign(2 * table_.size(), -1);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::size_t slot = hash_of(nodes_[i]) & mask;
    while (table_[slot] >= 0) slot = (slot + 1) & mask;
    table_[slot] = static_cast<std::int32_t>(i);
  }
}

std::vector<Expr> reachable(const Graph& graph, std::span<const Expr> outputs) {
  std::int32_t last = -1;
  for (const Expr e : outputs) last = std::max(last, e.id);
  std::vector<char> needed(static_cast<std::size_t>(last + 1), 0);
  for (const Expr e : outputs) needed[static_cast<std::size_t>(e.id)] = 1;
  std::vector<Expr> order;
  for (std::int32_t id = last; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    Expr e;
    e.id = id;
    order.push_back(e);
    const Node& n = graph[e];
    for (int i = 0; i < arity(n.op); ++i) needed[static_cast<std::size_t>(n.arg[i].id)] = 1;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<Expr> depth_first(const Graph& graph, std::span<const Expr> outputs) {
  std::vector<char> done(static_cast<std::size_t>(graph.size()), 0);
  std::vector<Expr> order;
  std::vector<std::pair<Expr, int>>
      path;  // a node, and how many of its operands are done; no recursion: it may be long
  for (const Expr out : outputs) {
    path.emplace_back(out, 0);
    while (!path.empty()) {
      auto& [e, next] = path.back();
      char& e_done = done[static_cast<std::size_t>(e.id)];
      if (e_done || next == arity(graph[e].op)) {
        if (!e_done) order.push_back(e);
        e_done = 1;
        path.pop_back();
      } else {
        path.emplace_back(graph[e].arg[next++], 0);
      }
    }
  }
  return order;
}

std::vector<double> evaluate(const Graph& graph, std::span<const Expr> outputs, std::span<const double> inputs) {
  const std::vector<Expr> order = reachable(graph, outputs);
  std::vector<double> value(order.empty() ? 0 : static_cast<std::size_t>(order.back().id) + 1);
  const auto at = [&](Expr e) { return value[static_cast<std::size_t>(e.id)]; };
  for (const Expr e : order) {
    const Node& n = graph[e];
    double& v = value[static_cast<std::size_t>(e.id)];
    if (n.op == Op::constant)
      v = n.value;
    else if (n.op == Op::input)
      v = inputs[static_cast<std::size_t>(n.index)];
    else
      v = evaluate(n.op, at(n.arg[0]), at(n.arg[1]), at(n.arg[2]), at(n.arg[3]));
  }
  std::vector<double> out;
  for (const Expr e : outputs) out.push_back(at(e));
  return out;
}

ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs) {
  ExprCount count;
  for (const Expr e : reachable(graph, outputs)) switch (graph[e].op) {
      case Op::constant:
      case Op::input:
      case Op::negate: break;
      case Op::add:
      case Op::subtract: ++count.additions; break;
      case Op::multiply: ++count.multiplications; break;
      case Op::divide: ++count.divisions; break;
      default: ++count.others;
    }
  return count;
}

ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs, std::span<const Expr> more) {
  std::vector<Expr> all(outputs.begin(), outputs.end());
  all.insert(all.end(), more.begin(), more.end());
  return count_operations(graph, all);
}

}  // namespace cardan
