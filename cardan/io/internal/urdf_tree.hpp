// The graph of a URDF robot's links and joints must be a tree: one root, one parent for every other link, no cycle.
#pragma once

#include "cardan/io/internal/xml.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cardan::io {

struct UrdfLink {
  std::string name;
  XmlElement element;
};

struct UrdfJoint {
  std::string name;
  XmlElement element;
  std::string parent, child;
};

/// The first of that name, or null.
template <class Item>
const Item* find_named(const std::vector<Item>& items, const std::string& name) {
  for (const Item& item : items)
    if (item.name == name) return &item;
  return nullptr;
}

class UrdfTree {
 public:
  /// Throws ModelError where it is no tree, or where two links or two joints share a name.
  UrdfTree(const XmlElement& robot, const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints);

  const UrdfLink& root() const { return links_[root_]; }

 private:
  void connect();
  void find_root(const XmlElement& robot);
  void refuse_cycles() const;
  [[noreturn]] void refuse_cycle(std::size_t on_circle) const;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::vector<UrdfLink>& links_;
  const std::vector<UrdfJoint>& joints_;
  std::vector<std::size_t> parent_link_, parent_joint_;  // of each link
  std::size_t root_ = 0;
};

}  // namespace cardan::io
