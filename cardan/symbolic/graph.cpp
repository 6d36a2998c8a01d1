#include "cardan/symbolic/graph.hpp"

#include "cardan/symbolic/simplify.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <utility>

namespace cardan {

namespace {

std::atomic<std::uint32_t> next_number{0};

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

std::uint64_t hash_of(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.op) + 0x51ull;
  if (n.op == Op::constant) return mix(h, std::bit_cast<std::uint64_t>(n.value));
  if (n.op == Op::input) return mix(h, static_cast<std::uint64_t>(n.index));
  for (int i = 0; i < arity(n.op); ++i) h = mix(h, static_cast<std::uint32_t>(n.arg[i]));
  return h;
}

bool same(const Node& a, const Node& b) {
  if (a.op != b.op) return false;
  if (a.op == Op::constant) return std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
  if (a.op == Op::input) return a.index == b.index;
  for (int i = 0; i < arity(a.op); ++i)
    if (a.arg[i] != b.arg[i]) return false;
  return true;
}

}  // namespace

Graph::Graph(std::size_t most_nodes) : table_(1024, -1), most_nodes_(most_nodes), number_(next_number++) {
  for (const double value : {0.0, 1.0, -1.0}) {
    Node n;
    n.value = value;
    intern(n);
  }
}

Expr apply(Op op, Expr a, Expr b, Expr c, Expr d) {
  const Expr* node = nullptr;
  for (const Expr* e : {&a, &b, &c, &d}) {
    if (e->is_constant()) continue;
    if (node == nullptr)
      node = e;
    else if (!e->shares_graph(*node))
      throw GraphMismatch();
  }
  if (node != nullptr) return node->graph()->make(op, a, b, c, d);
  return Expr(evaluate(op, a.value(), b.value(), c.value(), d.value()));
}

NodeId Graph::constant(double value) {
  if (value == 0.0) return zero;
  if (value == 1.0) return one;
  if (value == -1.0) return minus_one;
  Node n;
  n.value = value;
  return intern(n);
}

Expr Graph::expr(NodeId id) {
  const Node& n = (*this)[id];
  return n.op == Op::constant ? Expr(n.value) : Expr(*this, {id, number_});
}

Expr Graph::input(int index) {
  Node n;
  n.op = Op::input;
  n.index = index;
  return expr(intern(n));
}

Expr Graph::make(Op op, Expr a, Expr b, Expr c, Expr d) {
  const Expr operands[] = {a, b, c, d};
  NodeId nodes[4] = {};
  bool folds = true;
  for (int i = 0; i < arity(op); ++i) {
    nodes[i] = node(operands[i]);
    folds = folds && operands[i].is_constant();
  }
  if (folds) return Expr(evaluate(op, a.value(), b.value(), c.value(), d.value()));
  return expr(Simplifier{*this}.make(op, nodes[0], nodes[1], nodes[2], nodes[3]));
}

Expr Graph::keep(Op op, Expr a, Expr b, Expr c, Expr d) {
  Node n;
  n.op = op;
  const Expr operands[] = {a, b, c, d};
  for (int i = 0; i < arity(op); ++i) n.arg[i] = node(operands[i]);
  if (n.arg[1] < n.arg[0] && (op == Op::add || op == Op::multiply)) std::swap(n.arg[0], n.arg[1]);
  return expr(intern(n));
}

NodeId Graph::intern(const Node& node) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = hash_of(node) & mask;; slot = (slot + 1) & mask) {
    const NodeId found = table_[slot];
    if (found >= 0) {
      if (same(nodes_[static_cast<std::size_t>(found)], node)) return found;
      continue;
    }
    if (is_frozen_) throw std::logic_error("a frozen graph takes no new expressions");
    if (nodes_.size() >= most_nodes_)
      throw GraphTooLarge("the expression needs more than " + std::to_string(most_nodes_) + " operations");
    const auto id = static_cast<NodeId>(nodes_.size());
    table_[slot] = id;
    nodes_.push_back(node);
    if (2 * nodes_.size() > table_.size()) grow_table();
    return id;
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

std::vector<NodeId> reachable(const Graph& graph, std::span<const Expr> outputs) {
  NodeId last = -1;
  for (const Expr e : outputs)
    if (!e.is_constant()) last = std::max(last, graph.own(e));
  std::vector<char> needed(static_cast<std::size_t>(last + 1), 0);
  for (const Expr e : outputs)
    if (!e.is_constant()) needed[static_cast<std::size_t>(e.id())] = 1;
  std::vector<NodeId> order;
  for (NodeId id = last; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    order.push_back(id);
    const Node& n = graph[id];
    for (int i = 0; i < arity(n.op); ++i) needed[static_cast<std::size_t>(n.arg[i])] = 1;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<NodeId> depth_first(const Graph& graph, std::span<const Expr> outputs) {
  std::vector<char> done(static_cast<std::size_t>(graph.size()), 0);
  std::vector<NodeId> order;
  std::vector<std::pair<NodeId, int>>
      path;  // a node, and how many of its operands are done; no recursion: it may be long
  for (const Expr out : outputs) {
    if (out.is_constant()) continue;
    path.emplace_back(graph.own(out), 0);
    while (!path.empty()) {
      auto& [id, next] = path.back();
      char& is_done = done[static_cast<std::size_t>(id)];
      if (is_done || next == arity(graph[id].op)) {
        if (!is_done) order.push_back(id);
        is_done = 1;
        path.pop_back();
      } else {
        path.emplace_back(graph[id].arg[next++], 0);
      }
    }
  }
  return order;
}

std::vector<double> evaluate(const Graph& graph, std::span<const Expr> outputs, std::span<const double> inputs) {
  const std::vector<NodeId> order = reachable(graph, outputs);
  std::vector<double> value(order.empty() ? 1 : static_cast<std::size_t>(order.back()) + 1);
  const auto at = [&](NodeId id) -> double& { return value[static_cast<std::size_t>(id)]; };
  for (const NodeId id : order) {
    const Node& n = graph[id];
    if (n.op == Op::constant)
      at(id) = n.value;
    else if (n.op == Op::input)
      at(id) = inputs[static_cast<std::size_t>(n.index)];
    else
      at(id) = evaluate(n.op, at(n.arg[0]), at(n.arg[1]), at(n.arg[2]), at(n.arg[3]));
  }
  std::vector<double> out;
  for (const Expr e : outputs) out.push_back(e.is_constant() ? e.value() : at(e.id()));
  return out;
}

ExprCount count_operations(const Graph& graph, std::span<const Expr> outputs) {
  ExprCount count;
  for (const NodeId id : reachable(graph, outputs)) switch (graph[id].op) {
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
