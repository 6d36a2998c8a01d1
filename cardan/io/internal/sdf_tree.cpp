#include "cardan/io/internal/sdf_tree.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

/// Drops what acts at a joint's coordinates: loops have none of it. True if there was something.
bool drop_dynamics(TomlNode& table) {
  const std::size_t before = table.entries.size();
  std::erase_if(table.entries, [](const TomlEntry& entry) {
    for (const char* key : {"type", "axis", "joints", "pitch"})
      if (entry.key == key) return false;
    return true;
  });
  return table.entries.size() != before;
}

}  // namespace

SdfTree::SdfTree(const SdfModels& models, SdfShapes& shapes, const std::vector<SdfJoint>& joints, LeftOut& left_out,
                 TomlNode& scene)
    : models_(models), shapes_(shapes), joints_(joints), left_out_(left_out), scene_(scene) {
  for (const SdfPart& link : models.links())
    if (link.scope.is_static) static_.insert(link.name);
  for (const SdfPart& link : models.links()) names_.insert(link.name);
  choose();
}

bool SdfTree::is_fixed(const std::string& link) const { return link == "world" || static_.contains(link); }

bool SdfTree::moves_with(const std::string& link, const std::string& ancestor) const {
  for (std::string one = link; one != "world";) {
    if (one == ancestor) return true;
    const auto found = carried_by_.find(one);
    if (found == carried_by_.end()) return false;
    const SdfJoint& joint = joints_[found->second];
    one = joint.is_reversed ? joint.child : joint.parent;
  }
  return false;
}

/// A link moves on the first joint that has it as child; joints that come later, or go round, close loops.
void SdfTree::choose() {
  std::vector<std::size_t> reversed;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const SdfJoint& joint = joints_[i];
    if (joint.type == "gearbox" || (is_fixed(joint.parent) && is_fixed(joint.child))) continue;
    if (is_fixed(joint.child))
      reversed.push_back(i);
    else if (carried_by_.contains(joint.child) || moves_with(joint.parent, joint.child))
      loops_.push_back(i);
    else
      carried_by_[joint.child] = i;
  }
  for (const std::size_t i : reversed) {
    SdfJoint& joint = joints_[i];
    const bool has_one_axis = joint.axes.size() == 1 || joint.type == "fixed";
    if (!has_one_axis || carried_by_.contains(joint.parent)) {
      loops_.push_back(i);
      continue;
    }
    joint.is_reversed = true;
    carried_by_[joint.parent] = i;
  }
}

std::string SdfTree::unique(std::string name) {
  while (!names_.insert(name).second) name += "_";
  return name;
}

void SdfTree::write(const Vec3<double>& gravity) {
  for (const SdfPart& link : models_.links()) add_link(link, gravity);
  for (const std::size_t i : loops_) add_loop(joints_[i]);
  for (const SdfPart& frame : models_.own_frames()) {
    const std::string body = models_.frames().body_of(frame.name), name = unique(frame.name);
    append(scene_, "body",
           body_table(name, body,
                      toml_table({{"name", toml_text(name + ":fixed")},
                                  {"type", toml_text("fixed")},
                                  {"at", toml_pose(models_.frames().between(body, frame.name))}}),
                      {}));
  }
}

void SdfTree::add_link(const SdfPart& link, const Vec3<double>& gravity) {
  std::vector<TomlNode> shapes = shapes_.shapes(link);
  if (static_.contains(link.name)) {
    append(scene_, "body",
           body_table(link.name, "world",
                      toml_table({{"name", toml_text(link.name + ":fixed")},
                                  {"type", toml_text("fixed")},
                                  {"at", toml_pose(models_.frames().between("world", link.name))}}),
                      {}, std::move(shapes)));
    return;
  }
  if (truth_in(link.element, "kinematic", false)) left_out_.add("kinematic");
  const MassProperties mass = shapes_.mass(link);
  if (const auto found = carried_by_.find(link.name); found != carried_by_.end()) {
    add_on_joint(link, joints_[found->second], mass, std::move(shapes));
  } else {
    const Pose<double> pose = models_.frames().between("world", link.name);
    const Quaternion<double> q = quaternion_from_matrix(pose.R);
    append(scene_, "body",
           body_table(
               link.name, "world",
               toml_table({{"type", toml_text("free")},
                           {"q", toml_numbers(std::array{q[0], q[1], q[2], q[3], pose.p[0], pose.p[1], pose.p[2]})}}),
               mass, std::move(shapes)));
  }
  if (!truth_in(link.element, "gravity", true) && mass.mass > 0.0)
    append(scene_, "force", against_weight(link.name, mass, 1.0, gravity));
}

/// The body frame of a scene is the moving frame of its joint. A link whose own frame is elsewhere stands on a body
/// without mass that has the joint.
void SdfTree::add_on_joint(const SdfPart& link, SdfJoint joint, const MassProperties& mass,
                           std::vector<TomlNode> shapes) {
  const std::string parent = joint.is_reversed ? joint.child : joint.parent;
  Pose<double> at = models_.frames().between(parent, joint.part.name);
  const Pose<double> own = models_.frames().between(joint.part.name, link.name);
  const bool has_one_axis = joint.axes.size() == 1;
  Vec3<double> axis = has_one_axis ? joint.axes[0] : Vec3<double>{};
  if (joint.is_reversed) axis = -axis;
  const bool is_direct =
      joint.type == "fixed" || joint.type == "prismatic" || (is_origin(own.p) && (has_one_axis || is_identity(own.R)));
  if (is_direct) {
    at = models_.frames().between(parent, link.name);
    axis = transpose_apply(own.R, axis);
  }
  if (has_one_axis) put(joint.table, "axis", toml_vector(axis));
  put(joint.table, "name", toml_text(joint.part.name));
  put(joint.table, "at", toml_pose(at));
  if (is_direct) {
    append(scene_, "body", body_table(link.name, parent, joint.table, mass, std::move(shapes)));
    return;
  }
  const std::string carrier = unique(joint.part.name);
  append(scene_, "body", body_table(carrier, parent, joint.table, {}));
  append(
      scene_, "body",
      body_table(
          link.name, carrier,
          toml_table({{"name", toml_text(link.name + ":fixed")}, {"type", toml_text("fixed")}, {"at", toml_pose(own)}}),
          mass, std::move(shapes)));
}

void SdfTree::add_loop(const SdfJoint& joint) {
  TomlNode loop = joint.table;
  if (drop_dynamics(loop)) left_out_.add("dynamics and limit of joints that close loops");
  put(loop, "name", toml_text(joint.part.name));
  put(loop, "a", toml_text(joint.parent));
  put(loop, "b", toml_text(joint.child));
  put(loop, "at_a", toml_pose(models_.frames().between(joint.parent, joint.part.name)));
  put(loop, "at_b", toml_pose(models_.frames().between(joint.child, joint.part.name)));
  append(scene_, "loop", std::move(loop));
}

}  // namespace cardan::io
