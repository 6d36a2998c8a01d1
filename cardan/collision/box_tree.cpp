#include "cardan/collision/box_tree.hpp"

#include <numeric>

namespace cardan::collision {

void BoxTree::reserve(std::size_t boxes) {
  nodes_.reserve(boxes * 2);
  items_.reserve(boxes);
}

void BoxTree::build(std::span<const AxisBox> boxes) {
  reserve(boxes.size());
  nodes_.clear();
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  if (!items_.empty()) build(boxes, items_);
}

int BoxTree::build(std::span<const AxisBox> boxes, std::span<int> items) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  AxisBox box = boxes[static_cast<std::size_t>(items[0])], centers{box.low + box.high, box.low + box.high};
  for (const int i : items) {
    const AxisBox& b = boxes[static_cast<std::size_t>(i)];
    box.include(b);
    centers.include({b.low + b.high, b.low + b.high});
  }
  nodes_[static_cast<std::size_t>(index)].box = box;
  if (items.size() == 1) {
    nodes_[static_cast<std::size_t>(index)].item = items[0];
    return index;
  }
  const Vec3<double> extent = centers.high - centers.low;
  const int axis = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  std::nth_element(items.begin(), middle, items.end(), [&](int i, int j) {
    const auto center = [&](int k) {
      const AxisBox& b = boxes[static_cast<std::size_t>(k)];
      return b.low[axis] + b.high[axis];
    };
    return center(i) != center(j) ? center(i) < center(j) : i < j;
  });
  const int left = build(boxes, {items.begin(), middle}), right = build(boxes, {middle, items.end()});
  nodes_[static_cast<std::size_t>(index)].left = left;
  nodes_[static_cast<std::size_t>(index)].right = right;
  return index;
}

}  // namespace cardan::collision
