#include "cardan/program/internal/sums.hpp"

#include "cardan/program/internal/latency.hpp"

#include <algorithm>

namespace cardan::program {

namespace {

std::size_t place(NodeId e) { return static_cast<std::size_t>(e); }

class Finder {
 public:
  Finder(const Graph& graph, std::span<const NodeId> order, std::span<const Expr> outputs)
      : g_(graph), order_(order), outputs_(outputs), near_(order.size() < kLarge ? graph.size() : kNear) {
    const std::size_t n = order.empty() ? 0 : place(order.back()) + 1;
    uses_.assign(n, 0);
    ready_.assign(n, 0);
    out_.of_node.assign(n, -1);
    out_.vanished.assign(n, 0);
  }

  Sums run() {
    for (const NodeId e : order_) {
      int when = 0;
      for (int k = 0; k < arity(g_[e].op); ++k) {
        ++uses_[place(g_[e].arg[k])];
        when = std::max(when, ready_[place(g_[e].arg[k])]);
      }
      ready_[place(e)] = when + latency(g_[e].op);
    }
    for (const Expr e : outputs_)
      if (!e.is_constant()) uses_[place(e.id())] += kMostReaders + 1;  // has to exist by itself
    // readers come first, so that they claim what they alone read
    for (auto it = order_.rbegin(); it != order_.rend(); ++it)
      if (is_sum(*it) && !out_.vanished[place(*it)]) {
        out_.of_node[place(*it)] = static_cast<int>(out_.list.size());
        out_.list.push_back({*it, {}});
        collect(*it);
      }
    spread_shared_products();
    for (Sum& sum : out_.list)
      std::stable_sort(sum.terms.begin(), sum.terms.end(),
                       [](const Term& a, const Term& b) { return a.ready < b.ready; });
    return std::move(out_);
  }

 private:
  // Parts of a sum that were recorded long before its end stay values of their own in large programs, or their factors
  // would occupy memory in between: talos is faster with a limit, mechanisms of 20 joints are without.
  static constexpr int kNear = 200, kLarge = 6000;
  static constexpr int kMostReaders = 4;  // of a product that is computed anew in each of them

  /// A sum, or the negative of one that nobody else reads.
  bool is_sum(NodeId e) const {
    const Node& n = g_[e];
    if (n.op == Op::negate) return uses_[place(n.arg[0])] == 1 && (is_sum(n.arg[0]) || g_[n.arg[0]].op == Op::multiply);
    return n.op == Op::add || n.op == Op::subtract;
  }

  /// Lists the terms of a sum from left to right. No recursion: sums may be long.
  void collect(NodeId root) {
    struct Part {
      NodeId user, node;
      bool negative;
    };
    std::vector<Part> parts;
    const auto open = [&](NodeId sum, bool negative) {
      const Node& n = g_[sum];
      for (int k = arity(n.op); k-- > 0;)
        parts.push_back({sum, n.arg[k], negative != (n.op == Op::negate || (n.op == Op::subtract && k == 1))});
    };
    open(root, false);
    while (!parts.empty()) {
      const auto [user, node, negative] = parts.back();
      parts.pop_back();
      const bool mine = uses_[place(node)] == 1 && user - node < near_;
      const bool product = mine && g_[node].op == Op::multiply;
      if (mine && (product || is_sum(node))) out_.vanished[place(node)] = 1;
      if (mine && !product && is_sum(node))
        open(node, negative);
      else
        out_.list.back().terms.push_back(
            {node, negative, product, ready_[place(node)] - (product ? latency(Op::multiply) : 0)});
    }
  }

  /// A product with several readers is computed anew in each if all are sums that begin with another term anyway.
  void spread_shared_products() {
    std::vector<std::vector<std::pair<int, int>>> readers(uses_.size());
    std::vector<int> beginnings(out_.list.size(), 0);
    const auto is_shared_product = [&](const Term& t) {
      return !t.product && g_[t.node].op == Op::multiply && uses_[place(t.node)] <= kMostReaders;
    };
    for (std::size_t i = 0; i < out_.list.size(); ++i)
      for (std::size_t k = 0; k < out_.list[i].terms.size(); ++k) {
        const Term& t = out_.list[i].terms[k];
        if (is_shared_product(t))
          readers[place(t.node)].emplace_back(static_cast<int>(i), static_cast<int>(k));
        else if (!t.product)
          ++beginnings[i];
      }
    for (const NodeId e : order_) {
      const auto& r = readers[place(e)];
      if (r.empty() || static_cast<int>(r.size()) != uses_[place(e)]) continue;
      if (!std::all_of(r.begin(), r.end(),
                       [&](const auto& x) { return beginnings[static_cast<std::size_t>(x.first)] > 0; }))
        continue;
      for (const auto& [sum, term] : r) {
        Term& t = out_.list[static_cast<std::size_t>(sum)].terms[static_cast<std::size_t>(term)];
        t.product = true;
        t.ready -= latency(Op::multiply);
      }
      out_.vanished[place(e)] = 1;
    }
  }

  const Graph& g_;
  std::span<const NodeId> order_;
  std::span<const Expr> outputs_;
  int near_;
  std::vector<int> uses_, ready_;
  Sums out_;
};

}  // namespace

Sums find_sums(const Graph& graph, std::span<const NodeId> order, std::span<const Expr> outputs) {
  return Finder(graph, order, outputs).run();
}

}  // namespace cardan::program
