#include "cardan/io/internal/scene_robots.hpp"

#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_joints.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_shapes.hpp"
#include "cardan/io/internal/scene_units.hpp"
#include "cardan/io/internal/srdf.hpp"
#include "cardan/io/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

namespace cardan::io {

namespace {

template <class Spec>
Spec* find_named(std::span<Spec> specs, const std::string& name) {
  const auto found = std::find_if(specs.begin(), specs.end(), [&](const Spec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

void change_joint(const TomlValue& table, JointSpec& joint) {
  check_units(table, "robot.set", joint.type.type_name());
  joint.dofs.resize(static_cast<std::size_t>(joint.type.nv()));
  read_dofs(table, joint.dofs);
}

/// A link that becomes heavier or lighter keeps its center of mass and how the mass is distributed about it.
void change_link(const TomlValue& table, BodySpec& link) {
  if (const TomlValue mass = table.find("mass")) {
    const double before = link.mass.mass, after = mass.number();
    if (!(after >= 0.0)) mass.fail(fmt::format("expected a mass that is not negative, found {}", after));
    if (before > 0.0) link.mass.inertia = (after / before) * link.mass.inertia;
    link.mass.mass = after;
  }
  const TomlValue color = table.find("color"), material = table.find("material");
  for (const TomlValue& value : {color, material})
    if (value && link.shapes.empty()) value.fail("expected a link with shapes, found one without");
  for (ShapeInstance& shape : link.shapes) {
    if (color) shape.color = read_color(color);
    if (material) read_material(material, shape.material);
  }
}

/// What a file has added to the builder, called by the names of the file.
class RobotParts {
 public:
  RobotParts(std::string prefix, std::span<BodySpec> links, std::span<JointSpec> joints)
      : prefix_(std::move(prefix)), links_(links), joints_(joints) {}

  /// [robot.set.NAME]: a joint and a link may have one name; the keys say which of them is meant.
  void change(const TomlValue& set) const {
    for (const std::string& name : set.keys()) {
      const TomlValue table = set.find(name);
      allow_keys(table, "robot.set");
      JointSpec* const joint = find_named(joints_, prefix_ + name);
      BodySpec* const link = find_named(links_, prefix_ + name);
      if (joint == nullptr && link == nullptr) refuse_name(set, name);
      for (const std::string& key : table.keys()) {
        if (is_dof_key(key) && joint == nullptr) refuse_link(table, key, *link);
        if (is_dof_key(key) && joint->type.nv() == 0)
          table.fail_key(key, fmt::format("expected a joint that moves for {}, found {}, which is fixed",
                                          in_quotes(key), in_quotes(name)));
        if (!is_dof_key(key) && link == nullptr)
          table.fail_key(key, fmt::format("expected a link for {}, found the joint {}, which moves the link {}",
                                          in_quotes(key), in_quotes(name), in_quotes(own_name(joint->successor))));
      }
      if (joint != nullptr) change_joint(table, *joint);
      if (link != nullptr) change_link(table, *link);
    }
  }

 private:
  std::string own_name(const std::string& name) const {
    return name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
  }

  [[noreturn]] void refuse_name(const TomlValue& set, const std::string& name) const {
    std::vector<std::string> known;
    for (const JointSpec& joint : joints_) known.push_back(own_name(joint.name));
    for (const BodySpec& link : links_) known.push_back(own_name(link.name));
    set.fail_key(name, fmt::format("expected a joint or a link of the robot by its name in the file, found {}{}",
                                   in_quotes(name), did_you_mean(own_name(name), known)));
  }

  [[noreturn]] void refuse_link(const TomlValue& table, const std::string& key, const BodySpec& link) const {
    const auto carries = [&](const JointSpec& joint) { return joint.successor == link.name; };
    const auto joint = std::find_if(joints_.begin(), joints_.end(), carries);
    table.fail_key(
        key, fmt::format("expected a joint for {}, found the link {}{}", in_quotes(key), in_quotes(own_name(link.name)),
                         joint == joints_.end() ? std::string()
                                                : ", which the joint " + in_quotes(own_name(joint->name)) + " moves"));
  }

  std::string prefix_;
  std::span<BodySpec> links_;
  std::span<JointSpec> joints_;
};

}  // namespace

SceneRobot add_robot(ModelBuilder& builder, const TomlValue& entry, const std::string& folder,
                     std::vector<std::string>& warnings) {
  allow_keys(entry, "robot");
  const TomlValue name = entry.find("name");
  const TomlValue table = name ? entry.named("robot " + in_quotes(name.name())) : entry;
  const TomlValue file = table.required("file"), base = table.find("base");
  const std::filesystem::path path = std::filesystem::path(folder) / file.name();
  if (path.extension() != ".urdf")
    file.fail("expected a URDF file, found " + in_quotes(file.text()) + ": other formats are not available yet");
  UrdfOptions options;
  options.warnings = &warnings;
  if (base && base.one_of(choices("robot", "base")) == "free") options.base = UrdfOptions::Base::free;
  const std::string prefix = name ? name.name() + "/" : "";
  const Pose<double> at = read_place(table);
  const std::size_t links = builder.bodies().size(), joints = builder.joints().size();
  SceneRobot out;
  try {
    out.bodies = add_urdf(builder, path.string(), prefix, at, options);
  } catch (const ModelError& problem) {
    file.fail(problem.what());
  }
  if (const TomlValue set = table.find("set"))
    RobotParts(prefix, builder.bodies().subspan(links), builder.joints().subspan(joints)).change(set);
  if (const TomlValue srdf = table.find("srdf")) {
    try {
      out.untouched = load_disabled_pairs((std::filesystem::path(folder) / srdf.name()).string(), out.bodies, prefix);
    } catch (const ModelError& problem) {
      srdf.fail(problem.what());
    }
  }
  return out;
}

}  // namespace cardan::io
