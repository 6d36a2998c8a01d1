#include "cardan/symbolic/internal/factor.hpp"

#include "cardan/symbolic/internal/common_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace cardan {

namespace {

// Larger graphs stay as they are: looking for what is common takes longer than in proportion to the size.
constexpr int kMostNodes = 8000;
constexpr int kMostRounds = 4;

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

/// A term: sign and factors. No factor means 1.
struct Term {
  bool negative = false;
  std::vector<Item> factors;
  auto operator<=>(const Term&) const = default;
};

struct Sum {
  std::vector<Term> terms;
  std::vector<Item> items;  // the terms once each is one atom
};

/// One round. Atoms are the numbers of nodes, and from `first_made_` on those of sums and products made here.
class Factoring {
 public:
  Factoring(Graph& graph, std::span<const Expr> given, std::span<const Expr> wanted) : g_(graph), wanted_(wanted) {
    mark_given(given);
    count_uses();
    for (const NodeId e : order_)
      if (!is_given(e) && g_[e].op != Op::negate && !is_absorbed(e) && (is_sum(g_[e].op) || g_[e].op == Op::multiply))
        sums_[e].terms = terms_of(e);
    first_made_ = g_.size();
  }

  /// a*b + a*c = a*(b + c) in every sum, the most frequent factor first.
  void take_out_common_factors() {
    for (auto it = sums_.begin(); it != sums_.end(); ++it)  // brackets are sums again, and come later
      while (take_out_one(it->second.terms)) {
      }
  }

  void share_products() {
    std::vector<std::vector<Item>*> lists;
    for (auto& [name, sum] : sums_)
      for (Term& t : sum.terms) lists.push_back(&t.factors);
    replace_common_pairs(
        lists, [&](const ItemPair& p) { return computed(Op::multiply, p); },
        [&](const ItemPair& p) { return make(Op::multiply, p); });
  }

  /// After share_products: each term becomes one atom.
  void share_sums() {
    for (auto& [name, sum] : sums_)
      for (Term& t : sum.terms) sum.items.push_back({name_of(t.factors), t.negative});
    std::vector<std::vector<Item>*> lists;
    for (auto& [name, sum] : sums_) lists.push_back(&sum.items);
    replace_common_pairs(
        lists, [&](const ItemPair& p) { return computed(p.opposite ? Op::subtract : Op::add, p); },
        [&](const ItemPair& p) { return make(p.opposite ? Op::subtract : Op::add, p); });
  }

  std::vector<Expr> build() {
    const std::size_t atoms = static_cast<std::size_t>(first_made_) + made_.size();
    value_.assign(atoms, Expr());
    is_built_.assign(atoms, 0);
    sum_of_.assign(atoms, nullptr);
    for (const auto& [name, sum] : sums_) sum_of_[static_cast<std::size_t>(name)] = &sum;
    for (const NodeId e : order_)
      if (is_given(e) || !is_absorbed(e)) value(e);
    std::vector<Expr> out;
    for (const Expr e : wanted_) out.push_back(e.is_constant() ? e : value(e.id()));
    return out;
  }

 private:
  void mark_given(std::span<const Expr> given) {
    given_.assign(static_cast<std::size_t>(g_.size()), 0);
    for (const NodeId e : reachable(g_, given)) {
      given_[static_cast<std::size_t>(e)] = 1;
      const Node& n = g_[e];
      if (is_sum(n.op) || n.op == Op::multiply) computed_[key(n.op, n.arg[0], n.arg[1])] = e;
    }
  }

  void count_uses() {
    uses_.assign(static_cast<std::size_t>(g_.size()), {});
    order_ = reachable(g_, wanted_);
    for (const Expr e : wanted_)
      if (!e.is_constant()) uses_[static_cast<std::size_t>(core(e.id()))].is_wanted = true;
    for (const NodeId e : order_) {
      const Node& n = g_[e];
      if (is_given(e) || n.op == Op::negate) continue;
      for (int k = 0; k < arity(n.op); ++k) {
        Uses& u = uses_[static_cast<std::size_t>(core(n.arg[k]))];
        ++u.number;
        u.by = n.op;
      }
    }
  }

  bool is_given(NodeId e) const { return g_.is_constant(e) || given_[static_cast<std::size_t>(e)]; }
  /// Without its sign.
  NodeId core(NodeId e) const { return g_[e].op == Op::negate ? g_[e].arg[0] : e; }

  /// Part of the only sum or product that uses it.
  bool is_absorbed(NodeId e) const {
    const Uses& u = uses_[static_cast<std::size_t>(e)];
    if (is_given(e) || u.is_wanted || u.number != 1) return false;
    if (is_sum(g_[e].op)) return is_sum(u.by);
    return g_[e].op == Op::multiply && (is_sum(u.by) || u.by == Op::multiply);
  }

  std::vector<Term> terms_of(NodeId e) const {
    std::vector<Term> terms;
    add_terms(e, false, true, terms);
    return terms;
  }
  void add_terms(NodeId e, bool negative, bool is_top, std::vector<Term>& terms) const {
    if (g_[e].op == Op::negate && !is_given(e)) return add_terms(g_[e].arg[0], !negative, false, terms);
    if (is_sum(g_[e].op) && (is_top || is_absorbed(e))) {
      add_terms(g_[e].arg[0], negative, false, terms);
      return add_terms(g_[e].arg[1], negative != (g_[e].op == Op::subtract), false, terms);
    }
    Term t;
    t.negative = negative;
    add_factors(e, is_top, t);
    std::sort(t.factors.begin(), t.factors.end());
    terms.push_back(std::move(t));
  }
  void add_factors(NodeId e, bool is_top, Term& t) const {
    const Node n = g_[e];  // a copy: a constant may be new to the graph
    if (n.op == Op::negate) {
      t.negative = !t.negative;
      return add_factors(n.arg[0], false, t);
    }
    if (n.op == Op::multiply && (is_top || is_absorbed(e))) {
      add_factors(n.arg[0], false, t);
      return add_factors(n.arg[1], false, t);
    }
    if (n.op != Op::constant) return t.factors.push_back({e, false});
    if (n.value < 0.0) t.negative = !t.negative;
    const NodeId size = g_.node(Expr(std::abs(n.value)));
    if (size != Graph::one) t.factors.push_back({size, false});
  }

  /// False if no factor is common to two products.
  bool take_out_one(std::vector<Term>& terms) {
    std::map<int, int> count;
    for (const Term& t : terms)
      for (std::size_t i = 0; i < t.factors.size() && t.factors.size() > 1; ++i)
        if (i == 0 || t.factors[i] != t.factors[i - 1]) ++count[t.factors[i].atom];
    const auto most =
        std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == count.end() || most->second < 2) return false;
    const Item factor{most->first, false};
    std::vector<Term> inside, rest;
    for (Term& t : terms) {
      const auto at = std::find(t.factors.begin(), t.factors.end(), factor);
      if (t.factors.size() < 2 || at == t.factors.end()) {
        rest.push_back(std::move(t));
        continue;
      }
      t.factors.erase(at);
      inside.push_back(std::move(t));
    }
    std::sort(inside.begin(), inside.end(), [](const Term& a, const Term& b) { return a.factors < b.factors; });
    const bool negative = inside[0].negative;  // the bracket starts with a plus, so that equal ones are found
    for (Term& t : inside) t.negative = t.negative != negative;
    int& bracket = brackets_[inside];
    if (bracket == 0) {
      bracket = make(Op::constant, {});
      sums_[bracket].terms = std::move(inside);
    }
    rest.push_back({negative, {factor, {bracket, false}}});
    terms = std::move(rest);
    return true;
  }

  static std::uint64_t key(Op op, int a, int b) {
    return static_cast<std::uint64_t>(op) << 58 ^ static_cast<std::uint64_t>(a) << 29 ^ static_cast<std::uint64_t>(b);
  }
  PairName computed(Op op, const ItemPair& p) const {
    if (p.first >= first_made_ || p.second >= first_made_) return {};
    auto it = computed_.find(key(op, p.first, p.second));
    if (it == computed_.end() && op != Op::subtract) it = computed_.find(key(op, p.second, p.first));
    return it == computed_.end() ? PairName{} : PairName{it->second, true};
  }

  /// A new atom.
  int make(Op op, const ItemPair& pair) {
    made_.push_back({op, pair});
    return first_made_ + static_cast<int>(made_.size()) - 1;
  }
  /// The product of factors as one atom.
  int name_of(const std::vector<Item>& factors) {
    if (factors.empty()) return Graph::one;
    int name = factors[0].atom;
    for (std::size_t i = 1; i < factors.size(); ++i) name = make(Op::multiply, {name, factors[i].atom, false});
    return name;
  }

  Expr value(int atom) {
    const auto i = static_cast<std::size_t>(atom);
    if (!is_built_[i]) {
      value_[i] = compute(atom);
      is_built_[i] = 1;
    }
    return value_[i];
  }
  Expr compute(int atom) {
    if (const Sum* s = sum_of_[static_cast<std::size_t>(atom)]) {
      // what is positive first: -(a - b) would become a difference of its own
      std::vector<Item> items = s->items;
      std::stable_partition(items.begin(), items.end(), [](const Item& item) { return !item.negative; });
      const bool all_negative = !items.empty() && items[0].negative;
      Expr sum;
      for (const Item& item : items)
        sum = item.negative == all_negative ? sum + value(item.atom) : sum - value(item.atom);
      return all_negative ? -sum : sum;
    }
    if (atom >= first_made_) {
      const auto [op, pair] = made_[static_cast<std::size_t>(atom - first_made_)];
      const Expr a = value(pair.first), b = value(pair.second);
      return op == Op::multiply ? product(a, b) : g_.make(op, a, b);
    }
    if (is_given(atom) || g_[atom].op == Op::input) return g_.expr(atom);
    const Node n = g_[atom];
    Expr arg[4];
    for (int k = 0; k < arity(n.op); ++k) arg[k] = value(n.arg[k]);
    return g_.make(n.op, arg[0], arg[1], arg[2], arg[3]);
  }
  /// A constant factor stays where it is: (2*a)*b does not become 2*(a*b) if 2*a serves others.
  Expr product(Expr a, Expr b) {
    if (is(a, Op::negate)) return -product(operand(a), b);
    if (is(b, Op::negate)) return -product(a, operand(b));
    const auto has_constant = [&](Expr e) { return is(e, Op::multiply) && operand(e).is_constant(); };
    const bool move = a.is_constant() || b.is_constant() || !(has_constant(a) || has_constant(b));
    return move ? a * b : g_.keep(Op::multiply, a, b);
  }
  bool is(Expr e, Op op) const { return !e.is_constant() && g_[e.id()].op == op; }
  /// The first operand of an operation.
  Expr operand(Expr e) { return g_.expr(g_[e.id()].arg[0]); }

  struct Uses {
    int number = 0;
    Op by = Op::constant;
    bool is_wanted = false;
  };
  struct Made {
    Op op;  // constant: a sum of its own
    ItemPair pair;
  };
  Graph& g_;
  std::span<const Expr> wanted_;
  int first_made_ = 0;
  std::vector<NodeId> order_;
  std::vector<char> given_;
  std::vector<Uses> uses_;                           // outside of what is given
  std::unordered_map<std::uint64_t, int> computed_;  // sums and products of what is given
  std::map<int, Sum> sums_;                          // by name
  std::map<std::vector<Term>, int> brackets_;
  std::vector<Made> made_;
  std::vector<const Sum*> sum_of_;
  std::vector<Expr> value_;
  std::vector<char> is_built_;
};

}  // namespace

std::vector<Expr> factor(Graph& graph, std::span<const Expr> given, std::span<const Expr> wanted) {
  std::vector<Expr> best(wanted.begin(), wanted.end());
  int least = count_operations(graph, given, best).total();
  if (least > kMostNodes) return best;
  for (const bool brackets : {false, true})
    for (int round = 0; round < kMostRounds; ++round) {
      Factoring f(graph, given, best);
      if (brackets) f.take_out_common_factors();
      f.share_products();
      f.share_sums();
      std::vector<Expr> found = f.build();
      const int operations = count_operations(graph, given, found).total();
      if (operations >= least) break;
      least = operations;
      best = std::move(found);
    }
  return best;
}

}  // namespace cardan
