// The derivative D(c, b) of a node c by a node b below it is the sum over all paths from c to b of the products of the
// edges. There are three ways to write it with shorter ones:
//   above   D(c, b) = sum over the operands k of c of  dc/dk D(k, b),
//   below   D(c, b) = sum over the users u of b of     D(c, u) du/db,
//   cut     D(c, b) = D(c, d) D(d, b)  where d is a node that all paths pass (it dominates b or post-dominates c).
// Each D(c, b) is computed once, whichever entries it serves. `above` everywhere is forward mode and `below` everywhere
// is reverse mode; D* tries these and plans with cuts, factors the products and sums of the cheapest (see factor.hpp),
// and keeps what takes the fewest operations.
#include "cardan/symbolic/dstar.hpp"

#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/internal/factor.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace cardan {

namespace {

// The two cheapest plans are factored, the second only if it comes near the first.
constexpr std::size_t kFactored = 2;
constexpr double kNear = 1.25;
// Steps that one plan with cuts may take, so that no graph costs more than some milliseconds.
constexpr std::size_t kMostSteps = 200'000;

/// How D(c, b) is written; cuts are made at the highest or the lowest possible node, and where there is none, as said.
enum class Cut { never, highest, lowest };
enum class Expansion { above, below };
struct Plan {
  Cut cut;
  Expansion expansion;
};
constexpr Plan kPlans[] = {
    {Cut::never, Expansion::above},   {Cut::never, Expansion::below},  {Cut::highest, Expansion::above},
    {Cut::highest, Expansion::below}, {Cut::lowest, Expansion::above}, {Cut::lowest, Expansion::below},
};

/// A set of nodes, by their position among those that matter.
class NodeSet {
 public:
  explicit NodeSet(std::size_t nodes = 0) : words_((nodes + 63) / 64) {}
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool contains(std::size_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void operator|=(const NodeSet& o) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= o.words_[k];
  }
  std::uint64_t word(std::size_t k) const { return words_[k]; }

 private:
  std::vector<std::uint64_t> words_;
};

/// The nodes on which an input bears, operands first, and the partial derivatives between them. Before them stand the
/// directions, on which the inputs depend by their rates.
class DerivativeGraph {
 public:
  DerivativeGraph(Graph& graph, std::span<const Expr> outputs, const Directions& directions)
      : directions_(directions.count()), down_(directions.count()), up_(directions.count()) {
    const std::vector<NodeId> order = reachable(graph, outputs);
    position_.assign(order.empty() ? 0 : static_cast<std::size_t>(order.back()) + 1, kNowhere);
    for (const NodeId e : order) {
      std::vector<Edge> edges;
      const auto add = [&](std::size_t to, Expr weight) {
        if (!weight.is(0.0)) edges.push_back({to, weight});
      };
      if (const auto* rates = directions.find(e)) {  // differentiation stops at inputs
        for (std::size_t k = 0; k < rates->size(); ++k) add(k, (*rates)[k]);
      } else {
        const Node n = graph[e];
        for (int k = 0; k < arity(n.op); ++k)  // an operand that occurs twice has two edges
          if (const std::size_t to = position(n.arg[k]); to != kNowhere) add(to, partial(graph, e, k));
      }
      if (edges.empty()) continue;
      const std::size_t above = down_.size();
      position_[static_cast<std::size_t>(e)] = above;
      down_.push_back(std::move(edges));
      up_.emplace_back();
      for (const Edge& edge : down_[above]) up_[edge.to].push_back({above, edge.weight});
    }
    for (auto& users : up_) std::reverse(users.begin(), users.end());  // the last user first, as reverse mode goes
    find_reachable();
  }

  /// All derivatives by one plan; nothing if it takes too many steps.
  std::optional<std::vector<Expr>> derivatives(std::span<const Expr> outputs, Plan plan) {
    plan_ = plan;
    known_.clear();
    steps_ = 0;
    std::vector<Expr> J;
    for (const Expr out : outputs)
      for (std::size_t k = 0; k < directions_; ++k) {
        const std::size_t c = out.is_constant() ? kNowhere : position(out.id());
        J.push_back(c == kNowhere ? Expr(0.0) : derivative(c, k));
      }
    if (takes_too_long()) return std::nullopt;
    return J;
  }

 private:
  struct Edge {
    std::size_t to;
    Expr weight;
  };
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  void find_reachable() {
    const std::size_t n = down_.size();
    below_.assign(n, NodeSet(n));
    above_.assign(n, NodeSet(n));
    for (std::size_t i = 0; i < n; ++i) {
      below_[i].insert(i);
      for (const Edge& e : down_[i]) below_[i] |= below_[e.to];
    }
    for (std::size_t i = n; i-- > 0;) {
      above_[i].insert(i);
      for (const Edge& e : up_[i]) above_[i] |= above_[e.to];
    }
  }

  std::size_t position(NodeId node) const {
    const auto id = static_cast<std::size_t>(node);
    return id < position_.size() ? position_[id] : kNowhere;
  }

  /// Nodes k * 64 to k * 64 + 63 that lie between c and b, as bits.
  std::uint64_t between(std::size_t k, std::size_t c, std::size_t b) {
    ++steps_;
    return below_[c].word(k) & above_[b].word(k);
  }

  /// Operands come first, so all paths pass a node if no edge leaps over its position.
  std::size_t highest_cut(std::size_t c, std::size_t b) {
    std::size_t furthest = c;
    for (std::size_t k = c / 64 + 1; k-- > b / 64;)
      for (std::uint64_t bits = between(k, c, b); bits != 0; ++steps_) {
        const std::size_t high = 63 - static_cast<std::size_t>(std::countl_zero(bits)), i = 64 * k + high;
        bits ^= std::uint64_t{1} << high;
        if (i == b) return kNowhere;
        if (i != c && furthest >= i) return i;
        for (const Edge& e : down_[i])
          if (above_[b].contains(e.to)) furthest = std::min(furthest, e.to);
      }
    return kNowhere;
  }
  std::size_t lowest_cut(std::size_t c, std::size_t b) {
    std::size_t furthest = b;
    for (std::size_t k = b / 64; k <= c / 64; ++k)
      for (std::uint64_t bits = between(k, c, b); bits != 0; bits &= bits - 1, ++steps_) {
        const std::size_t i = 64 * k + static_cast<std::size_t>(std::countr_zero(bits));
        if (i == c) return kNowhere;
        if (i != b && furthest <= i) return i;
        for (const Edge& e : up_[i])
          if (below_[c].contains(e.to)) furthest = std::max(furthest, e.to);
      }
    return kNowhere;
  }

  bool takes_too_long() const { return plan_.cut != Cut::never && steps_ > kMostSteps; }

  /// D(c, b); anything if it takes too long.
  Expr derivative(std::size_t c, std::size_t b) {
    if (c == b) return Expr(1.0);
    if (!below_[c].contains(b) || takes_too_long()) return Expr(0.0);
    const std::uint64_t key = static_cast<std::uint64_t>(c) << 32 | b;
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    std::size_t d = kNowhere;
    if (plan_.cut == Cut::highest) d = highest_cut(c, b);
    if (plan_.cut == Cut::lowest) d = lowest_cut(c, b);
    Expr result;
    if (d != kNowhere) {
      const Expr upper = derivative(c, d);
      result = upper * derivative(d, b);
    } else if (plan_.expansion == Expansion::above) {
      for (const Edge& e : down_[c])
        if (below_[e.to].contains(b)) result += e.weight * derivative(e.to, b);
    } else {
      for (const Edge& e : up_[b])
        if (below_[c].contains(e.to)) result += derivative(c, e.to) * e.weight;
    }
    known_[key] = result;
    return result;
  }

  std::size_t directions_;
  std::vector<std::size_t> position_;         // by node number
  std::vector<std::vector<Edge>> down_, up_;  // to the operands, to the users
  std::vector<NodeSet> below_, above_;        // what can be reached, itself included
  Plan plan_{};
  std::unordered_map<std::uint64_t, Expr> known_;  // D(c, b) of this plan
  std::size_t steps_ = 0;
};

struct Candidate {
  std::vector<Expr> entries;
  int operations;
};

}  // namespace

std::vector<Expr> dstar(Graph& graph, std::span<const Expr> outputs, const Directions& directions) {
  std::vector<Candidate> candidates;
  const auto add = [&](std::vector<Expr> J) {
    const int operations = count_operations(graph, outputs, J).total();
    candidates.push_back({std::move(J), operations});
  };
  DerivativeGraph d(graph, outputs, directions);
  for (const Plan plan : kPlans)
    if (auto J = d.derivatives(outputs, plan)) add(std::move(*J));
  const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.operations < b.operations; };
  std::stable_sort(candidates.begin(), candidates.end(), cheaper);
  for (std::size_t i = 0, n = std::min(kFactored, candidates.size()); i < n; ++i)
    if (candidates[i].operations <= kNear * candidates[0].operations)
      add(factor(graph, outputs, candidates[i].entries));
  return std::min_element(candidates.begin(), candidates.end(), cheaper)->entries;
}

}  // namespace cardan
