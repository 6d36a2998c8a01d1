// Every derivative D(c, b) of a node by one below it is a chain of factors: the nodes that all paths from c to b pass
// cut it into segments. A segment that cannot be cut is expanded into a sum, at its upper or its lower end, over
// derivatives that are chains again. Segments are looked up by their ends, so each is computed once, whichever entries
// of the Jacobian it serves. At last the chains of all entries are multiplied out, the pair of neighbours that occurs
// most often first.
#include "cardan/symbolic/dstar.hpp"

#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cardan {

namespace {

struct Edge {
  int above, below;
  Expr weight;
};

/// At which end a segment becomes a sum.
enum class Expansion { above, below, fewest };

class DerivativeGraph {
 public:
  DerivativeGraph(Graph& graph, std::span<const Expr> outputs, std::span<const Expr> inputs) {
    const std::vector<Expr> order = reachable(graph, outputs);
    std::set<int> cut, useful;  // nodes on which an input bears; differentiation stops at inputs
    for (const Expr x : inputs) cut.insert(x.id);
    for (const Expr e : order) {
      bool depends = cut.count(e.id) > 0;
      const Node n = graph[e];
      if (!depends) {
        std::map<int, Expr> weights;  // an operand may occur twice
        for (int k = 0; k < arity(n.op); ++k)
          if (useful.count(n.arg[k].id)) weights[n.arg[k].id] += partial(graph, e, k);
        for (const auto& [below, weight] : weights) {
          if (weight.id == Graph::zero) continue;
          const Edge edge{e.id, below, weight};
          down_[e.id].push_back(edge);
          up_[below].push_back(edge);
          depends = true;
        }
      }
      if (depends) useful.insert(e.id);
    }
  }

  /// The nodes that all paths from c to b pass, both ends included; empty if there is no path. Operands have lower
  /// numbers, so a node is passed by all paths if no edge leaps over its number.
  std::vector<int> chain(int c, int b) const {
    const std::set<int> between = nodes_between(c, b);
    if (between.empty()) return {};
    std::vector<int> passed;
    int furthest = c;
    for (auto it = between.rbegin(); it != between.rend(); ++it) {
      if (furthest >= *it) passed.push_back(*it);
      if (const auto edges = down_.find(*it); edges != down_.end())
        for (const Edge& e : edges->second)
          if (between.count(e.below)) furthest = std::min(furthest, e.below);
    }
    return passed;
  }

  Expr segment(int c, int b, Expansion expansion) {
    const auto key = std::make_pair(c, b);
    if (const auto it = segments_.find(key); it != segments_.end()) return it->second;
    const std::set<int> between = nodes_between(c, b);
    std::vector<Edge> above, below;
    for (const Edge& e : down_.at(c))
      if (between.count(e.below)) above.push_back(e);
    for (const Edge& e : up_.at(b))
      if (between.count(e.above)) below.push_back(e);
    const bool at_top =
        expansion == Expansion::above || (expansion == Expansion::fewest && above.size() <= below.size());
    Expr sum;
    for (const Edge& e : at_top ? above : below)
      sum += at_top ? e.weight * product(e.below, b, expansion) : product(c, e.above, expansion) * e.weight;
    segments_[key] = sum;
    return sum;
  }

  /// D(c, b), multiplied from below.
  Expr product(int c, int b, Expansion expansion) {
    const std::vector<int> nodes = chain(c, b);
    Expr result(nodes.empty() ? 0.0 : 1.0);
    for (std::size_t i = nodes.size(); i-- > 1;) result = segment(nodes[i - 1], nodes[i], expansion) * result;
    return result;
  }

  void forget() { segments_.clear(); }

 private:
  std::set<int> nodes_between(int c, int b) const {
    if (c < b) return {};
    const std::set<int> down = spread(down_, c, [](const Edge& e) { return e.below; });
    if (!down.count(b)) return {};
    const std::set<int> up = spread(up_, b, [](const Edge& e) { return e.above; });
    std::set<int> both;
    std::set_intersection(down.begin(), down.end(), up.begin(), up.end(), std::inserter(both, both.end()));
    return both;
  }
  template <class End>
  static std::set<int> spread(const std::map<int, std::vector<Edge>>& edges, int start, const End& end) {
    std::set<int> seen{start};
    std::vector<int> open{start};
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      const auto it = edges.find(node);
      if (it == edges.end()) continue;
      for (const Edge& e : it->second)
        if (seen.insert(end(e)).second) open.push_back(end(e));
    }
    return seen;
  }

  std::map<int, std::vector<Edge>> down_, up_;
  std::map<std::pair<int, int>, Expr> segments_;
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
      const std::vector<int> nodes = d.chain(out.id, in.id);
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
