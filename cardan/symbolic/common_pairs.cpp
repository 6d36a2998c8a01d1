#include "cardan/symbolic/common_pairs.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace cardan {

namespace {

// Pairs grow with the square of the length; nobody looks for common pairs in a sum of a hundred terms.
constexpr std::size_t kLongest = 40;

ItemPair pair_of(Item a, Item b) {
  if (b.atom < a.atom) std::swap(a, b);
  return {a.atom, b.atom, a.negative != b.negative};
}

class CommonPairs {
 public:
  CommonPairs(std::vector<std::vector<Item>*>& lists, const std::function<PairName(const ItemPair&)>& look_up,
              const std::function<int(const ItemPair&)>& give_name)
      : lists_(lists), look_up_(look_up), give_name_(give_name) {
    for (std::size_t i = 0; i < lists_.size(); ++i) enter(i);
  }

  void replace() {
    while (!queue_.empty()) {
      const auto [saved, negated_first, negated_second, opposite] = queue_.top();
      queue_.pop();
      const ItemPair pair{-negated_first, -negated_second, opposite};
      const Occurrence& now = found_[pair];
      if (saving(now) != saved) {  // it has changed since it was queued
        if (saving(now) > 0) push(pair, now);
        continue;
      }
      if (saved <= 0) return;
      const int name = now.name.computed ? now.name.atom : give_name_(pair);
      const std::set<std::size_t> where = now.where;
      for (const std::size_t i : where) replace_in(i, pair, name);
    }
  }

 private:
  struct Occurrence {
    std::set<std::size_t> where;
    PairName name;
  };
  using Queued = std::tuple<int, int, int, bool>;  // saved operations; then the pair, negated so that low atoms win

  static int saving(const Occurrence& o) { return static_cast<int>(o.where.size()) - (o.name.computed ? 0 : 1); }
  void push(const ItemPair& p, const Occurrence& o) { queue_.emplace(saving(o), -p.first, -p.second, p.opposite); }

  template <class F>
  void for_each_pair(std::size_t i, const F& f) {
    const std::vector<Item>& list = *lists_[i];
    if (list.size() > kLongest) return;
    for (std::size_t a = 0; a < list.size(); ++a)
      for (std::size_t b = a + 1; b < list.size(); ++b) f(pair_of(list[a], list[b]));
  }
  void enter(std::size_t i) {
    for_each_pair(i, [&](const ItemPair& pair) {
      const auto [it, is_new] = found_.try_emplace(pair);
      if (is_new) it->second.name = look_up_(pair);
      if (it->second.where.insert(i).second && saving(it->second) > 0) push(pair, it->second);
    });
  }
  void leave(std::size_t i) {
    for_each_pair(i, [&](const ItemPair& pair) { found_[pair].where.erase(i); });
  }

  void replace_in(std::size_t i, const ItemPair& pair, int name) {
    leave(i);
    std::vector<Item>& list = *lists_[i];
    const auto take_one = [&] {
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) {
          if (pair_of(list[a], list[b]) != pair) continue;
          const bool negative = list[a].atom <= list[b].atom ? list[a].negative : list[b].negative;
          list[a] = {name, negative};
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(b));
          return true;
        }
      return false;
    };
    while (take_one()) {
    }
    enter(i);
  }

  std::vector<std::vector<Item>*>& lists_;
  const std::function<PairName(const ItemPair&)>& look_up_;
  const std::function<int(const ItemPair&)>& give_name_;
  std::map<ItemPair, Occurrence> found_;
  std::priority_queue<Queued> queue_;
};

}  // namespace

void replace_common_pairs(std::vector<std::vector<Item>*>& lists,
                          const std::function<PairName(const ItemPair&)>& look_up,
                          const std::function<int(const ItemPair&)>& give_name) {
  CommonPairs(lists, look_up, give_name).replace();
}

}  // namespace cardan
