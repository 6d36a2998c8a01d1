#include "cardan/io/internal/sdf_shapes.hpp"

#include "cardan/model/internal/mesh_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan::io {

Pose<double> SdfShapes::place(const SdfPart& link, const XmlElement& element) const {
  const XmlElement pose = element.child("pose");
  const Pose<double> own = sdf_pose(pose);
  if (!pose || !pose.has("relative_to") || pose.text("relative_to").empty()) return own;
  const std::string name = pose.text("relative_to"), full = models_.frames().resolve(name, link.scope, pose);
  models_.frames().require(full, name, link.scope, pose);
  return models_.frames().between(link.name, full) * own;
}

std::optional<Shape> SdfShapes::primitive(const XmlElement& geometry) const {
  const auto length = [](const XmlElement& shape, const char* tag) {
    const XmlElement child = shape.required_child(tag);
    const double x = child.content_number();
    if (!(x > 0.0)) child.fail(fmt::format("expected a positive length, found {}", x));
    return x;
  };
  const auto three = [](const XmlElement& shape, const char* tag) {
    const XmlElement child = shape.required_child(tag);
    const std::vector<double> x = child.content_numbers(3);
    for (const double one : x)
      if (!(one > 0.0)) child.fail(fmt::format("expected positive lengths, found {}", one));
    return Vec3<double>{x[0], x[1], x[2]};
  };
  if (const XmlElement box = geometry.child("box")) {
    const Vec3<double> size = three(box, "size");
    return Box{size[0], size[1], size[2]};
  }
  if (const XmlElement sphere = geometry.child("sphere")) return Sphere{length(sphere, "radius")};
  if (const XmlElement c = geometry.child("cylinder")) return Cylinder{length(c, "radius"), length(c, "length")};
  if (const XmlElement c = geometry.child("capsule")) return Capsule{length(c, "radius"), length(c, "length")};
  if (const XmlElement ellipsoid = geometry.child("ellipsoid")) {
    const Vec3<double> radii = three(ellipsoid, "radii");
    return Ellipsoid{radii[0], radii[1], radii[2]};
  }
  return std::nullopt;
}

MassProperties SdfShapes::mass(const SdfPart& link) const {
  MassProperties out{1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
  const XmlElement inertial = link.element.child("inertial");
  if (!inertial) return out;
  check_children(inertial, "mass pose inertia density", "fluid_added_mass auto_inertia_params", left_out_);
  if (inertial.has("auto") && (inertial.text("auto") == "true" || inertial.text("auto") == "1")) {
    constexpr double water = 1000.0;  // kg/m^3
    out = {};
    for (const XmlElement& collision : link.element.children("collision")) {
      const std::optional<Shape> shape = primitive(collision.required_child("geometry"));
      if (!shape) collision.fail("expected a box, sphere, cylinder, capsule or ellipsoid for the inertia, found none");
      const double density = number_in(collision, "density", number_in(inertial, "density", water));
      const Pose<double> at = place(link, collision);
      out = combine(out, to_parent(mass_properties(*shape, density), at.R, at.p));
    }
    return out;
  }
  out.mass = number_in(inertial, "mass", 1.0);
  if (!(out.mass >= 0.0))
    inertial.child("mass").fail(fmt::format("expected a mass that is not negative, found {}", out.mass));
  if (const XmlElement inertia = inertial.child("inertia")) {
    check_children(inertia, "ixx ixy ixz iyy iyz izz", "", left_out_);
    out.inertia = {number_in(inertia, "ixx", 1.0), number_in(inertia, "iyy", 1.0), number_in(inertia, "izz", 1.0),
                   number_in(inertia, "ixy", 0.0), number_in(inertia, "ixz", 0.0), number_in(inertia, "iyz", 0.0)};
  }
  const Pose<double> at = sdf_pose(inertial.child("pose"));
  return to_parent(out, at.R, at.p);
}

std::optional<TomlNode> SdfShapes::mesh_table(const SdfPart& link, const XmlElement& mesh) {
  const XmlElement uri = mesh.required_child("uri");
  const std::string path = files_.find(uri, link.scope.folder);
  const auto leave_out = [&](const std::string& why) -> std::optional<TomlNode> {
    warnings_.push_back(mesh.message(why + ": this shape is left out"));
    return std::nullopt;
  };
  if (path.empty()) return leave_out("file not found: " + in_quotes(uri.content()));
  const Vec3<double> scale = vec3_in(mesh, "scale", {1.0, 1.0, 1.0});
  if (scale[0] != 1.0 || scale[1] != 1.0 || scale[2] != 1.0) return leave_out("scaled meshes are not read");
  try {
    (void)read_mesh(path);
  } catch (const std::runtime_error& problem) {
    return leave_out(printable(problem.what()));
  }
  const auto beside = std::filesystem::path(path).lexically_relative(files_.main().folder);
  return toml_table({{"mesh", toml_text(beside.empty() ? path : beside.string())}});
}

std::optional<TomlNode> SdfShapes::table(const SdfPart& link, const XmlElement& element) {
  check_children(element, "pose geometry material density max_contacts surface",
                 "cast_shadows laser_retro transparency visibility_flags meta layer plugin auto_inertia_params",
                 left_out_);
  const XmlElement geometry = element.child("geometry");
  if (!geometry) element.fail("expected a <geometry>, found none");
  check_children(geometry, "box sphere cylinder capsule ellipsoid mesh", "plane heightmap image polyline cone empty",
                 left_out_);
  std::optional<TomlNode> out;
  if (const std::optional<Shape> shape = primitive(geometry))
    out = shape_table(*shape);
  else if (const XmlElement mesh = geometry.child("mesh"))
    out = mesh_table(link, mesh);
  if (!out) return std::nullopt;
  put(*out, "at", toml_pose(place(link, element)));
  put(*out, "collide", toml_truth(false));
  const XmlElement material = element.child("material"), diffuse = material ? material.child("diffuse") : XmlElement();
  if (diffuse) {
    const std::size_t count = words(diffuse.content()).size();
    put(*out, "color", toml_text(color_text(diffuse.content_numbers(count == 3 ? 3 : 4))));
  }
  return out;
}

std::vector<TomlNode> SdfShapes::shapes(const SdfPart& link) {
  std::vector<TomlNode> out;
  for (const char* tag : {"visual", "collision"}) {
    for (const XmlElement& element : link.element.children(tag))
      if (std::optional<TomlNode> one = table(link, element)) out.push_back(std::move(*one));
    if (!out.empty()) return out;
  }
  return out;
}

}  // namespace cardan::io
