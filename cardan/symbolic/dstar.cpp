// Every derivative D(c, b) of a node by one below it is a chain of factors: the nodes that all paths from c to b pass
// cut it into segments. A segment that cannot be cut is expanded into a sum, at its upper or its lower end, over
// derivatives that are chains again. Segments are looked up by their ends, so each is computed once, whichever entries
// of the Jacobian it serves. At last the chains of all entries are multiplied out, the pair of neighbours that occurs
// most often first.
#include "cardan/symbolic/dstar.hpp"

#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace cardan {

namespace {

struct Edge {
  std::size_t above, below;
  Expr weight;
};

/// At which end a segment becomes a sum.
enum class Expansion { above, below, fewest };

/// A set of nodes, by their position among those that matter.
class NodeSet {
 public:
  explicit NodeSet(std::size_t nodes = 0) : words_((nodes + 63) / 64) {}
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool contains(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void operator|=(const NodeSet& o) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= o.words_[k];
  }
  friend NodeSet operator&(NodeSet a, const NodeSet& b) {
    for (std::size_t k = 0; k < a.words_.size(); ++k) a.words_[k] &= b.words_[k];
    return a;
  }

 private:
  std::vector<std::uint64_t> words_;
};

class DerivativeGraph {
 public:
  DerivativeGraph(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs) {
    // the nodes on which an input bears, operands first; differentiation stops at inputs
    std::set<int> stop;
    for (const Expr x : inputs) stop.insert(x.id);
    for (const Expr e : reachable(graph, outputs)) {
      std::map<std::size_t, Expr> weights;  // an operand may occur twice
      if (!stop.count(e.id)) {
        const Node n = graph[e];
        for (int k = 0; k < arity(n.op); ++k)
          if (const auto it = position_.find(n.arg[k].id); it != position_.end())
            weights[it->second] += partial(graph, e, k);
        std::erase_if(weights, [](const auto& entry) { return entry.second.id == Graph::zero; });
        if (weights.empty()) continue;
      }
      const std::size_t above = down_.size();
      position_[e.id] = above;
      down_.emplace_back();
      up_.emplace_back();
      for (const auto& [below, weight] : weights) {
        down_[above].push_back({above, below, weight});
        up_[below].push_back({above, below, weight});
      }
    }
    const std::size_t n = down_.size();
    below_.assign(n, NodeSet(n));
    above_.assign(n, NodeSet(n));
    for (std::size_t i = 0; i < n; ++i) {
      below_[i].insert(i);
      for (const Edge& e : down_[i]) below_[i] |= below_[e.below];
    }
    for (std::size_t i = n; i-- > 0;) {
      above_[i].insert(i);
      for (const Edge& e : up_[i]) above_[i] |= above_[e.above];
    }
  }

  /// The nodes that all paths from an output to an input pass, both ends included; empty if there is no path.
  std::vector<std::size_t> chain(Expr output, Expr input) const {
    const auto c = position_.find(output.id), b = position_.find(input.id);
    if (c == position_.end() || b == position_.end()) return {};
    return chain(c->second, b->second);
  }

  Expr segment(std::size_t c, std::size_t b, Expansion expansion) {
    const auto key = std::make_pair(c, b);
    if (const auto it = segments_.find(key); it != segments_.end()) return it->second;
    const NodeSet between = below_[c] & above_[b];
    std::vector<Edge> top, bottom;
    for (const Edge& e : down_[c])
      if (between.contains(e.below)) top.push_back(e);
    for (const Edge& e : up_[b])
      if (between.contains(e.above)) bottom.push_back(e);
    const bool at_top =
        expansion == Expansion::above || (expansion == Expansion::fewest && top.size() <= bottom.size());
    Expr sum;
    for (const Edge& e : at_top ? top : bottom)
      sum += at_top ? e.weight * product(e.below, b, expansion) : product(c, e.above, expansion) * e.weight;
    segments_[key] = sum;
    return sum;
  }

  void forget() { segments_.clear(); }

 private:
  /// Operands come first, so a node is passed by all paths if no edge leaps over its position.
  std::vector<std::size_t> chain(std::size_t c, std::size_t b) const {
    if (c < b || !below_[c].contains(b)) return {};
    const NodeSet between = below_[c] & above_[b];
    std::vector<std::size_t> passed;
    std::size_t furthest = c;
    for (std::size_t i = c + 1; i-- > b;) {
      if (!between.contains(i)) continue;
      if (furthest >= i) passed.push_back(i);
      for (const Edge& e : down_[i])
        if (between.contains(e.below)) furthest = std::min(furthest, e.below);
    }
    return passed;
  }

  /// D(c, b), multiplied from below.
  Expr product(std::size_t c, std::size_t b, Expansion expansion) {
    const std::vector<std::size_t> nodes = chain(c, b);
    Expr result(nodes.empty() ? 0.0 : 1.0);
    for (std::size_t i = nodes.size(); i-- > 1;) result = segment(nodes[i - 1], nodes[i], expansion) * result;
    return result;
  }

  std::map<int, std::size_t> position_;
  std::vector<std::vector<Edge>> down_, up_;
  std::vector<NodeSet> below_, above_;  // what can be reached, itself included
  std::map<std::pair<std::size_t, std::size_t>, Expr> segments_;
};

/// Multiplies out all chains; the most frequent pair of neighbours becomes one factor, again and again.
void multiply_out(std::vector<std::vector<Expr>>& chains) {
  for (auto& chain : chains)
    if (std::any_of(chain.begin(), chain.end(), [](Expr e) { return e.id == Graph::zero; }))
      chain = {Expr(0.0)};
    else
      std::erase_if(chain, [&](Expr e) { return e.id == Graph::one; });
  for (;;) {
    std::map<std::pair<int, int>, int> pairs;
    for (const auto& chain : chains)
      for (std::size_t i = 1; i < chain.size(); ++i) ++pairs[{chain[i - 1].id, chain[i].id}];
    if (pairs.empty()) return;
    const auto best =
        std::max_element(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (auto& chain : chains)
      for (std::size_t i = 1; i < chain.size(); ++i)
        if (chain[i - 1].id == best->first.first && chain[i].id == best->first.second) {
          chain[i - 1] = chain[i - 1] * chain[i];
          chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i));
        }
  }
}

std::vector<Expr> expand(DerivativeGraph& d, std::span<const Expr> outputs, std::span<const Expr> inputs,
                         Expansion expansion) {
  d.forget();
  std::vector<std::vector<Expr>> chains;
  for (const Expr out : outputs)
    for (const Expr in : inputs) {
      const std::vector<std::size_t> nodes = d.chain(out, in);
      auto& chain = chains.emplace_back();
      if (nodes.empty()) chain.push_back(Expr(0.0));
      for (std::size_t i = 1; i < nodes.size(); ++i) chain.push_back(d.segment(nodes[i - 1], nodes[i], expansion));
    }
  multiply_out(chains);
  std::vector<Expr> J;
  for (const auto& chain : chains) J.push_back(chain.empty() ? Expr(1.0) : chain[0]);
  return J;
}

}  // namespace

std::vector<Expr> dstar(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs) {
  const Recording to_this(graph);
  DerivativeGraph d(graph, outputs, inputs);
  std::vector<Expr> best;
  int least = 0;
  for (const auto expansion : {Expansion::above, Expansion::below, Expansion::fewest}) {
    const std::vector<Expr> J = expand(d, outputs, inputs, expansion);
    std::vector<Expr> all(outputs.begin(), outputs.end());
    all.insert(all.end(), J.begin(), J.end());
    const int operations = count_operations(graph, all).total();
    if (best.empty() || operations < least) {
      best = J;
      least = operations;
    }
  }
  return best;
}

}  // namespace cardan
