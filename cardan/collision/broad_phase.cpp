#include "cardan/collision/broad_phase.hpp"

namespace cardan::collision {

BroadPhase::BroadPhase(std::vector<bool> moves) : boxes_(moves.size()) {
  for (std::size_t i = 0; i < moves.size(); ++i) (moves[i] ? moving_ : resting_).push_back(static_cast<int>(i));
  order_ = moving_;
  gathered_.resize(moving_.size());
  pairs_.reserve(64 + 16 * moves.size());
  moving_tree_.reserve(moving_.size());
}

void BroadPhase::build_static() {
  std::vector<AxisBox> boxes;
  for (const int i : resting_) boxes.push_back(box(i));
  static_tree_.build(boxes);
}

/// Sorts along x, where the last order is nearly right, and looks at those that begin before another ends.
void BroadPhase::sweep() {
  for (std::size_t i = 1; i < order_.size(); ++i)
    for (std::size_t j = i; j > 0 && box(order_[j]).low[0] < box(order_[j - 1]).low[0]; --j)
      std::swap(order_[j], order_[j - 1]);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const AxisBox& first = box(order_[i]);
    for (std::size_t j = i + 1; j < order_.size() && box(order_[j]).low[0] <= first.high[0]; ++j)
      if (first.overlaps(box(order_[j]))) add(order_[i], order_[j]);
  }
}

const std::vector<BoxPair>& BroadPhase::update() {
  pairs_.clear();
  if (static_cast<int>(moving_.size()) <= kFew) {
    sweep();
  } else {
    for (std::size_t i = 0; i < moving_.size(); ++i) gathered_[i] = box(moving_[i]);
    moving_tree_.build(gathered_);
    for (std::size_t i = 0; i < moving_.size(); ++i)
      moving_tree_.overlapping(gathered_[i], [&](int k) {
        if (static_cast<std::size_t>(k) > i) add(moving_[i], moving_[static_cast<std::size_t>(k)]);
      });
  }
  for (const int i : moving_)
    static_tree_.overlapping(box(i), [&](int k) { add(i, resting_[static_cast<std::size_t>(k)]); });
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace cardan::collision
