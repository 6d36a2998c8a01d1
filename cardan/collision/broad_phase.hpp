// Pairs of boxes that overlap. Few moving boxes are swept along one axis; many get a tree of their own at every update,
// because along one axis of space the overlaps of n boxes grow like n^(5/3), in a tree like n log n. What never moves
// is in a tree that is built once.
#pragma once

#include "cardan/collision/box_tree.hpp"

#include <vector>

namespace cardan::collision {

struct BoxPair {
  int a = 0, b = 0;  // a < b
  friend bool operator==(const BoxPair&, const BoxPair&) = default;
  friend auto operator<=>(const BoxPair&, const BoxPair&) = default;
};

class BroadPhase {
 public:
  /// `moves[i]` tells whether box i ever changes.
  explicit BroadPhase(std::vector<bool> moves);

  int size() const { return static_cast<int>(boxes_.size()); }
  AxisBox& box(int i) { return boxes_[static_cast<std::size_t>(i)]; }
  const AxisBox& box(int i) const { return boxes_[static_cast<std::size_t>(i)]; }
  /// Builds the tree of what does not move; once its boxes are set.
  void build_static();

  /// Finds the overlapping pairs of moving boxes, and of a moving and a resting one, in ascending order. Memory grows
  /// until the largest number of pairs was seen.
  const std::vector<BoxPair>& update();

 private:
  void add(int i, int j) { pairs_.push_back(i < j ? BoxPair{i, j} : BoxPair{j, i}); }
  void sweep();

  static constexpr int kFew = 2000;
  std::vector<AxisBox> boxes_;
  std::vector<int> moving_, resting_, order_;
  std::vector<AxisBox> gathered_;
  BoxTree static_tree_, moving_tree_;
  std::vector<BoxPair> pairs_;
};

}  // namespace cardan::collision
