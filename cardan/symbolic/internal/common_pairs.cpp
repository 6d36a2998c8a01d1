#include "cardan/symbolic/internal/common_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>

namespace cardan {

namespace {

// Pairs grow with the square of the length; nobody looks for common pairs in a sum of a hundred terms.
constexpr std::size_t kLongest = 40;

ItemPair pair_of(Item a, Item b) {
  if (b.atom < a.atom) std::swap(a, b);
  return {a.atom, b.atom, a.negative != b.negative};
}

using Key = std::uint64_t;
Key key_of(const ItemPair& p) {
  return static_cast<Key>(p.first) << 32 | static_cast<Key>(p.second) << 1 | static_cast<Key>(p.opposite);
}
ItemPair pair_of(Key key) {
  return {static_cast<int>(key >> 32), static_cast<int>(key >> 1 & 0x7fffffff), (key & 1) != 0};
}

class CommonPairs {
 public:
  CommonPairs(std::vector<std::vector<Item>*>& lists, const std::function<PairName(const ItemPair&)>& look_up,
              const std::function<int(const ItemPair&)>& give_name)
      : lists_(lists), look_up_(look_up), give_name_(give_name) {
    std::erase_if(lists_, [](const auto* list) { return list->size() < 2 || list->size() > kLongest; });
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (const Item& item : *lists_[i]) users_[item.atom].push_back(i);
      enter(i);
    }
  }

  void replace() {
    while (!queue_.empty()) {
      const auto [saved, flipped] = queue_.top();
      queue_.pop();
      const Key key = ~flipped;
      const Occurrence now = found_[key];
      if (saving(now) != saved) {  // it has changed since it was queued
        if (saving(now) > 0) queue_.emplace(saving(now), ~key);
        continue;
      }
      const ItemPair pair = pair_of(key);
      const int name = now.name.computed ? now.name.atom : give_name_(pair);
      const std::vector<std::size_t>&first = users_[pair.first], &second = users_[pair.second];
      const std::vector<std::size_t> candidates = first.size() < second.size() ? first : second;
      for (const std::size_t i : candidates) replace_in(i, pair, name);
    }
  }

 private:
  struct Occurrence {
    int number = 0;  // pairs in all lists
    PairName name;
  };

  static int saving(const Occurrence& o) { return o.number - (o.name.computed ? 0 : 1); }

  template <class F>
  void for_each_pair(std::size_t i, const F& f) {
    const std::vector<Item>& list = *lists_[i];
    for (std::size_t a = 0; a < list.size(); ++a)
      for (std::size_t b = a + 1; b < list.size(); ++b) f(pair_of(list[a], list[b]));
  }
  void enter(std::size_t i) {
    for_each_pair(i, [&](const ItemPair& pair) {
      const Key key = key_of(pair);
      const auto [it, is_new] = found_.try_emplace(key);
      if (is_new) it->second.name = look_up_(pair);
      ++it->second.number;
      if (saving(it->second) > 0) queue_.emplace(saving(it->second), ~key);
    });
  }
  void leave(std::size_t i) {
    for_each_pair(i, [&](const ItemPair& pair) { --found_[key_of(pair)].number; });
  }

  /// The positions of the pair in a list; both 0 if it has none.
  static std::pair<std::size_t, std::size_t> find(const std::vector<Item>& list, const ItemPair& pair) {
    for (std::size_t a = 0; a < list.size(); ++a) {
      if (list[a].atom != pair.first && list[a].atom != pair.second) continue;
      for (std::size_t b = a + 1; b < list.size(); ++b)
        if (pair_of(list[a], list[b]) == pair) return {a, b};
    }
    return {};
  }
  void replace_in(std::size_t i, const ItemPair& pair, int name) {
    std::vector<Item>& list = *lists_[i];
    auto [a, b] = find(list, pair);
    if (b == 0) return;
    leave(i);
    for (; b != 0; std::tie(a, b) = find(list, pair)) {
      const bool negative = list[a].atom <= list[b].atom ? list[a].negative : list[b].negative;
      list[a] = {name, negative};
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(b));
    }
    users_[name].push_back(i);
    enter(i);
  }

  std::vector<std::vector<Item>*>& lists_;
  const std::function<PairName(const ItemPair&)>& look_up_;
  const std::function<int(const ItemPair&)>& give_name_;
  std::unordered_map<int, std::vector<std::size_t>> users_;  // the lists in which an atom is, or once was
  std::unordered_map<Key, Occurrence> found_;
  std::priority_queue<std::pair<int, Key>> queue_;  // saved operations; of equal pairs the one of lower atoms first
};

}  // namespace

void replace_common_pairs(std::vector<std::vector<Item>*>& lists,
                          const std::function<PairName(const ItemPair&)>& look_up,
                          const std::function<int(const ItemPair&)>& give_name) {
  CommonPairs(lists, look_up, give_name).replace();
}

}  // namespace cardan
