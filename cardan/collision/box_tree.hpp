// A tree of axis-aligned boxes over things that do not move against one another: triangles of a mesh, static shapes.
#pragma once

#include "cardan/math/vector.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace cardan::collision {

struct AxisBox {
  Vec3<double> low, high;

  void include(const AxisBox& o) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], o.low[k]);
      high[k] = std::max(high[k], o.high[k]);
    }
  }
  bool overlaps(const AxisBox& o) const {
    for (int k = 0; k < 3; ++k)
      if (low[k] > o.high[k] || o.low[k] > high[k]) return false;
    return true;
  }
  /// Squared distance between two boxes, 0 where they overlap.
  double squared_distance(const AxisBox& o) const {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({0.0, low[k] - o.high[k], o.low[k] - high[k]});
      sum += d * d;
    }
    return sum;
  }
  AxisBox grown(double margin) const {
    const Vec3<double> m{margin, margin, margin};
    return {low - m, high + m};
  }
};

class BoxTree {
 public:
  /// Splits the boxes in halves along the longest axis of their centers; the order is deterministic.
  void build(std::span<const AxisBox> boxes);
  /// Takes memory for so many boxes, so that build() allocates nothing.
  void reserve(std::size_t boxes);
  bool empty() const { return nodes_.empty(); }
  const AxisBox& bounds() const { return nodes_[0].box; }

  /// Calls visit(item) for every item whose box overlaps; no allocation.
  template <class Visit>
  void overlapping(const AxisBox& box, const Visit& visit) const {
    walk([&](const AxisBox& node) { return node.overlaps(box); }, visit);
  }
  /// Calls visit(item) for every item whose box `wanted` holds for, as it does for the boxes around it.
  template <class Wanted, class Visit>
  void walk(const Wanted& wanted, const Visit& visit) const {
    int stack[kDepth], top = 0;
    if (!nodes_.empty()) stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--top])];
      if (!wanted(node.box)) continue;
      if (node.left < 0) {
        visit(node.item);
      } else {
        stack[top++] = node.right;  // left first
        stack[top++] = node.left;
      }
    }
  }

 private:
  static constexpr int kDepth = 64;  // halves: deeper than any tree of 2^31 items
  struct Node {
    AxisBox box;
    int left = -1, right = -1, item = -1;
  };
  int build(std::span<const AxisBox> boxes, std::span<int> items);
  std::vector<Node> nodes_;
  std::vector<int> items_;
};

}  // namespace cardan::collision
