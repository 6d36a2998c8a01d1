#include "cardan/io/export.hpp"
#include "cardan/io/internal/export_parts.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan {

namespace {

using io::RobotJoint;
using io::RobotLink;
using tinyxml2::XMLElement;
using Factor = RobotJoint::Kind;

/// Roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll). Roll is measured in the axes that yaw has led to, so that the
/// three give R back to rounding near pitch = +-pi/2, too.
Vec3<double> rpy_of(const Mat3<double>& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0)), c = std::cos(yaw), s = std::sin(yaw);
  const double pitch = std::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0));
  const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  return {roll, pitch, yaw};
}

void add_origin(XMLElement& parent, const Pose<double>& at) {
  XMLElement& origin = io::add_element(parent, "origin");
  io::set(origin, "xyz", at.p);
  io::set(origin, "rpy", rpy_of(at.R));
}

class UrdfWriter {
 public:
  UrdfWriter(const Scene& scene, const std::string& path)
      : scene_(scene), path_(path), tree_(io::robot_tree(scene.model)), robot_(io::add_element(document_, "robot")) {}

  Exported write() {
    io::set(robot_, "name", scene_.model.name().empty() ? std::string("robot") : scene_.model.name());
    add_shapes(add_link(tree_.world), tree_.world_shapes);
    for (const RobotLink& link : io::with_single_joints(tree_.links)) write_link(link);
    Exported out{io::text_of(document_), std::move(tree_.left_out)};
    out.left_out.insert(out.left_out.end(), left_out_.begin(), left_out_.end());
    for (const io::RobotLoop& loop : tree_.loops) out.left_out.push_back("loop " + io::in_quotes(loop.name));
    const auto list = [&](const char* what, bool (*has)(const DofProperties&)) {
      if (std::string line = io::joints_with(tree_, what, has); !line.empty()) out.left_out.push_back(std::move(line));
    };
    list("stiffness", [](const DofProperties& dof) { return dof.stiffness != 0.0; });
    list("armature", [](const DofProperties& dof) { return dof.armature != 0.0; });
    list("restitution", [](const DofProperties& dof) { return dof.restitution != 0.0; });
    const Vec3<double> usual{0.0, 0.0, -9.81};
    if (norm(scene_.model.gravity() - usual) != 0.0) out.left_out.emplace_back("gravity other than (0, 0, -9.81)");
    for (std::string& line : io::beside_the_tree(scene_)) out.left_out.push_back(std::move(line));
    return out;
  }

 private:
  XMLElement& add_link(const std::string& name) {
    XMLElement& link = io::add_element(robot_, "link");
    io::set(link, "name", name);
    return link;
  }

  XMLElement& add_joint(const std::string& name, const char* type, const std::string& parent, const std::string& child,
                        const Pose<double>& at) {
    XMLElement& joint = io::add_element(robot_, "joint");
    io::set(joint, "name", name);
    io::set(joint, "type", type);
    io::set(io::add_element(joint, "parent"), "link", parent);
    io::set(io::add_element(joint, "child"), "link", child);
    add_origin(joint, at);
    return joint;
  }

  void write_link(const RobotLink& link) {
    XMLElement& own = add_link(link.name);
    if (io::has_mass(link.mass)) add_inertial(own, link.mass);
    add_shapes(own, link.shapes);
    if (link.joints.empty())
      add_joint(link.joint, "fixed", link.parent, link.name, link.at);
    else
      write_joint(link.joints.front(), link.parent, link.name, link.at);
  }

  void write_joint(const RobotJoint& joint, const std::string& parent, const std::string& child,
                   const Pose<double>& at) {
    if (joint.kind == Factor::ball)
      throw ModelError(fmt::format("joint {}: expected joints that URDF has (hinges, slides, free ones), found a ball",
                                   io::in_quotes(joint.name)));
    if (joint.kind == Factor::free) {
      add_joint(joint.name, "floating", parent, child, at);
      return;
    }
    const DofProperties& dof = joint.dof;
    const bool is_limited = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    const bool is_hinge = joint.kind == Factor::hinge;
    const char* type = !is_hinge ? "prismatic" : is_limited ? "revolute" : "continuous";
    XMLElement& out = add_joint(joint.name, type, parent, child, at);
    io::set(io::add_element(out, "axis"), "xyz", joint.axis);
    add_limit(out, dof, is_limited);
    if (dof.damping != 0.0 || dof.friction != 0.0) {
      XMLElement& dynamics = io::add_element(out, "dynamics");
      io::set(dynamics, "damping", dof.damping);
      io::set(dynamics, "friction", dof.friction);
    }
    for (const io::RobotMimic& mimic : tree_.mimics) {
      if (mimic.joint != joint.name) continue;
      XMLElement& element = io::add_element(out, "mimic");
      io::set(element, "joint", mimic.source);
      io::set(element, "multiplier", mimic.multiplier);
      io::set(element, "offset", mimic.offset);
    }
  }

  /// A bound that is not there is a number that no joint reaches where the other one is: URDF has both or neither.
  static void add_limit(XMLElement& joint, const DofProperties& dof, bool is_limited) {
    constexpr double kBeyond = 1e9;
    if (!is_limited && !std::isfinite(dof.effort_limit) && !std::isfinite(dof.velocity_limit)) return;
    XMLElement& limit = io::add_element(joint, "limit");
    io::set(limit, "lower", std::isfinite(dof.lower) ? dof.lower : -kBeyond);
    io::set(limit, "upper", std::isfinite(dof.upper) ? dof.upper : kBeyond);
    if (std::isfinite(dof.effort_limit)) io::set(limit, "effort", dof.effort_limit);
    if (std::isfinite(dof.velocity_limit)) io::set(limit, "velocity", dof.velocity_limit);
  }

  static void add_inertial(XMLElement& link, const MassProperties& mass) {
    XMLElement& inertial = io::add_element(link, "inertial");
    add_origin(inertial, {Mat3<double>::identity(), mass.com});
    io::set(io::add_element(inertial, "mass"), "value", mass.mass);
    XMLElement& inertia = io::add_element(inertial, "inertia");
    const char* const names[]{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int k = 0; k < 6; ++k) io::set(inertia, names[k], mass.inertia.e[k]);
  }

  void add_shapes(XMLElement& link, const std::vector<ShapeInstance>& shapes) {
    for (const ShapeInstance& shape : shapes) {
      if (shape.visual) add_shape(link, "visual", shape);
      if (shape.collide) add_shape(link, "collision", shape);
    }
  }

  void add_shape(XMLElement& link, const char* tag, const ShapeInstance& shape) {
    XMLElement& element = io::add_element(link, tag);
    if (!shape.name.empty()) io::set(element, "name", shape.name);
    add_origin(element, shape.at);
    XMLElement& geometry = io::add_element(element, "geometry");
    if (const std::string why = add_geometry(geometry, shape.shape); !why.empty()) {
      left_out_.push_back(fmt::format("{} of link {}: {}", tag, io::in_quotes(link.Attribute("name")), why));
      link.DeleteChild(&element);
      return;
    }
    if (const std::string rgba = io::rgba_of(shape.color); !rgba.empty() && shape.visual) {
      XMLElement& material = io::add_element(element, "material");
      io::set(material, "name", shape.color);
      io::set(io::add_element(material, "color"), "rgba", rgba);
    }
  }

  /// Says what cannot be written; empty if it was.
  std::string add_geometry(XMLElement& geometry, const Shape& shape) {
    const auto round = [&](const char* tag, double radius, double length) {
      XMLElement& out = io::add_element(geometry, tag);
      io::set(out, "radius", radius);
      io::set(out, "length", length);
    };
    if (const auto* box = std::get_if<Box>(&shape)) {
      io::set(io::add_element(geometry, "box"), "size", Vec3<double>{box->x, box->y, box->z});
    } else if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      io::set(io::add_element(geometry, "sphere"), "radius", sphere->radius);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      round("cylinder", cylinder->radius, cylinder->length);
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      round("capsule", capsule->radius, capsule->length);
    } else if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      try {
        const io::MeshReference reference = io::mesh_reference(*mesh, path_);
        XMLElement& out = io::add_element(geometry, "mesh");
        io::set(out, "filename", reference.file);
        io::set(out, "scale", reference.scale);
      } catch (const std::runtime_error& problem) {
        return problem.what();
      }
    } else {
      return std::holds_alternative<Torus>(shape) ? "a torus" : "an ellipsoid";
    }
    return {};
  }

  const Scene& scene_;
  const std::string& path_;
  io::RobotTree tree_;
  std::vector<std::string> left_out_;  // of shapes
  tinyxml2::XMLDocument document_;
  XMLElement& robot_;
};

}  // namespace

Exported to_urdf(const Scene& scene, const std::string& path) { return UrdfWriter(scene, path).write(); }

}  // namespace cardan
