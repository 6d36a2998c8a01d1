#include "cardan/io/internal/robot_scene.hpp"

#include "cardan/io/internal/export_parts.hpp"
#include "cardan/io/internal/scene_build.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan::io {

namespace {

TomlNode robot_joint_table(const RobotLink& link) {
  TomlNode out = toml_table({{"name", toml_text(link.joints.empty() ? link.joint : link.joints.front().name)}});
  const auto type = [&](const char* name) { put(out, "type", toml_text(name)); };
  put(out, "at", toml_pose(link.at));
  if (link.joints.empty()) {
    type("fixed");
    return out;
  }
  const RobotJoint& joint = link.joints.front();
  if (!joint.is_plain()) {
    type(joint.kind == RobotJoint::Kind::ball ? "spherical" : "free");
    return out;
  }
  type(joint.kind == RobotJoint::Kind::hinge ? "revolute" : "prismatic");
  put(out, "axis", toml_vector(joint.axis));
  const DofProperties& dof = joint.dof;
  const auto put_if = [&](const char* key, double value) {
    if (value != 0.0 && std::isfinite(value)) put(out, key, toml_number(value));
  };
  put_if("damping", dof.damping);
  put_if("friction", dof.friction);
  put_if("armature", dof.armature);
  put_if("effort_limit", dof.effort_limit);
  put_if("velocity_limit", dof.velocity_limit);
  if (std::isfinite(dof.lower) || std::isfinite(dof.upper))
    put(out, "limits", toml_list({toml_numbers(std::array{dof.lower, dof.upper})}));
  return out;
}

}  // namespace

SceneSpec robot_scene(const Scene& robot, const std::string& path) {
  const RobotTree tree = robot_tree(robot.model);
  std::vector<std::string> warnings;
  // shapes that only touch are drawn, too: scenes have no others
  const auto shape_tables = [&](const std::string& link, const std::vector<ShapeInstance>& shapes) {
    std::vector<TomlNode> out;
    for (const ShapeInstance& shape : shapes) {
      TomlNode table;
      if (const auto* mesh = std::get_if<Mesh>(&shape.shape)) {
        try {
          const MeshReference reference = mesh_reference(*mesh, path);
          if (norm(reference.scale - Vec3<double>{1.0, 1.0, 1.0}) > 0.0)
            throw std::runtime_error(fmt::format("mesh {}: it is scaled", in_quotes(mesh->path)));
          put(table, "mesh", toml_text(reference.file));
        } catch (const std::runtime_error& problem) {
          warnings.push_back(fmt::format("a shape of link {} is left out: {}", in_quotes(link), problem.what()));
          continue;
        }
      } else {
        table = shape_table(shape.shape);
      }
      put(table, "at", toml_pose(shape.at));
      put(table, "collide", toml_truth(shape.collide));
      if (!shape.color.empty()) put(table, "color", toml_text(shape.color));
      out.push_back(std::move(table));
    }
    return out;
  };
  TomlNode root;
  put(root, "cardan", toml_number(1.0));
  put(root, "name", toml_text(robot.model.name()));
  if (tree.world != "world") {
    RobotLink base{tree.world, "world", "root_joint", {}, {}, {}, {}};
    append(root, "body",
           body_table(base.name, base.parent, robot_joint_table(base), base.mass,
                      shape_tables(base.name, tree.world_shapes)));
  }
  for (const RobotLink& link : with_single_joints(tree.links))
    append(
        root, "body",
        body_table(link.name, link.parent, robot_joint_table(link), link.mass, shape_tables(link.name, link.shapes)));
  for (const RobotMimic& mimic : tree.mimics)
    append(
        root, "coupling",
        toml_table({{"joint", toml_text(mimic.joint)},
                    {"equals", toml_text(fmt::format("{} + {}*x", written(mimic.offset), written(mimic.multiplier)))},
                    {"with", toml_table({{"x", toml_text(mimic.source)}})}}));
  return {path, std::move(root), std::move(warnings)};
}

}  // namespace cardan::io
