// Sums of several terms and products of several factors may be computed in any order. The order that shares most: the
// pair which occurs in most lists is computed first and takes the place of its two items, again and again.
#pragma once

#include <compare>
#include <functional>
#include <vector>

namespace cardan {

/// A term of a sum with its sign, or a factor of a product (never negative).
struct Item {
  int atom = 0;
  bool negative = false;
  auto operator<=>(const Item&) const = default;
};

/// Two items up to a common sign: the first counts as positive. first.atom <= second.
struct ItemPair {
  int first = 0, second = 0;
  bool opposite = false;  // the second has the other sign
  auto operator<=>(const ItemPair&) const = default;
};

/// What a pair is called from now on.
struct PairName {
  int atom = 0;
  bool computed = false;  // it costs nothing: it is needed elsewhere anyway
};

/// Replaces pairs in the lists as long as that saves operations. `look_up` says whether a pair is already computed;
/// `give_name` is called for each pair that is not and shall be.
void replace_common_pairs(std::vector<std::vector<Item>*>& lists,
                          const std::function<PairName(const ItemPair&)>& look_up,
                          const std::function<int(const ItemPair&)>& give_name);

}  // namespace cardan
