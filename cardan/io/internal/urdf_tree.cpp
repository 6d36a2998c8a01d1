#include "cardan/io/internal/urdf_tree.hpp"

#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cardan::io {

namespace {

template <class Item>
std::map<std::string, std::size_t> index_by_name(const std::vector<Item>& items) {
  std::map<std::string, std::size_t> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [first, is_new] = out.emplace(items[i].name, i);
    if (!is_new)
      items[i].element.fail("name", fmt::format("expected a name of its own, found that of the {} in line {}",
                                                items[i].element.tag(), items[first->second].element.line()));
  }
  return out;
}

}  // namespace

UrdfTree::UrdfTree(const XmlElement& robot, const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints)
    : links_(links), joints_(joints), parent_link_(links.size(), kNone), parent_joint_(links.size(), kNone) {
  connect();
  find_root(robot);
  refuse_cycles();
}

void UrdfTree::connect() {
  const auto link_index = index_by_name(links_);
  index_by_name(joints_);
  std::vector<std::string> names;
  for (const UrdfLink& link : links_) names.push_back(link.name);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const UrdfJoint& joint = joints_[j];
    const auto end = [&](const char* role, const std::string& name) {
      const auto found = link_index.find(name);
      if (found == link_index.end())
        joint.element.child(role).fail("link", fmt::format("expected a link of this robot, found {}{}", in_quotes(name),
                                                           did_you_mean(name, names)));
      return found->second;
    };
    const std::size_t parent = end("parent", joint.parent), child = end("child", joint.child);
    if (parent == child)
      joint.element.fail(
          fmt::format("expected two different links, found {} as parent and child", in_quotes(joint.child)));
    if (const std::size_t other = parent_joint_[child]; other != kNone)
      joint.element.fail(fmt::format("expected a child link without a parent, found {}, already the child of joint {}",
                                     in_quotes(joint.child), in_quotes(joints_[other].name)));
    parent_link_[child] = parent;
    parent_joint_[child] = j;
  }
}

void UrdfTree::find_root(const XmlElement& robot) {
  if (links_.empty()) robot.fail("expected at least one link, found none");
  root_ = kNone;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (parent_joint_[i] != kNone) continue;
    if (root_ != kNone)
      links_[i].element.fail(fmt::format("expected one root link, found a second besides {} (no joint leads to it)",
                                         in_quotes(links_[root_].name)));
    root_ = i;
  }
}

/// Blames the joint of the circle that comes last in the file: it closes it.
void UrdfTree::refuse_cycle(std::size_t on_circle) const {
  std::size_t last = parent_joint_[on_circle];
  for (std::size_t at = parent_link_[on_circle]; at != on_circle; at = parent_link_[at])
    last = std::max(last, parent_joint_[at]);
  const UrdfJoint& joint = joints_[last];
  joint.element.fail(fmt::format("expected a tree of links, found a cycle: {} is already above {}",
                                 in_quotes(joint.child), in_quotes(joint.parent)));
}

/// Every link has at most one parent, so the way up ends at the root or runs in a circle.
void UrdfTree::refuse_cycles() const {
  std::vector<bool> reaches_root(links_.size(), false);
  if (root_ != kNone) reaches_root[root_] = true;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::vector<std::size_t> way;
    std::size_t at = i;
    while (!reaches_root[at] && way.size() <= links_.size()) {
      way.push_back(at);
      at = parent_link_[at];
    }
    if (!reaches_root[at]) refuse_cycle(at);
    for (const std::size_t link : way) reaches_root[link] = true;
  }
}

}  // namespace cardan::io
