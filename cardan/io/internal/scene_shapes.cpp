#include "cardan/io/internal/scene_shapes.hpp"

#include "cardan/io/internal/scene_contact.hpp"
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/model/internal/mesh_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan::io {

namespace {

/// The two lengths of a table.
std::pair<double, double> two_lengths(const TomlValue& table, const char* kind, const char* first, const char* second) {
  allow_keys(table, kind);
  return {table.required(first).positive(), table.required(second).positive()};
}

Vec3<double> three_lengths(const TomlValue& list) {
  const std::vector<TomlValue> item = list.items(3, "numbers");
  return {item[0].positive(), item[1].positive(), item[2].positive()};
}

Mesh read_mesh_shape(const TomlValue& value, const std::string& folder) {
  try {
    return read_mesh((std::filesystem::path(folder) / value.name()).string());
  } catch (const std::runtime_error& problem) {
    value.fail(printable(problem.what()));
  }
}

Shape read_geometry(const std::string& kind, const TomlValue& value, const std::string& folder) {
  if (kind == "mesh") return read_mesh_shape(value, folder);
  if (kind == "sphere") return Sphere{value.positive()};
  if (kind == "box") {
    const Vec3<double> size = three_lengths(value);
    return Box{size[0], size[1], size[2]};
  }
  if (kind == "ellipsoid") {
    const Vec3<double> axes = three_lengths(value);
    return Ellipsoid{axes[0], axes[1], axes[2]};
  }
  if (kind == "torus") {
    const auto [major, minor] = two_lengths(value, "torus", "major", "minor");
    if (minor > major) value.fail(fmt::format("expected minor not above major {}, found {}", major, minor));
    return Torus{major, minor};
  }
  const auto [radius, length] = two_lengths(value, "round", "radius", "length");
  if (kind == "cylinder") return Cylinder{radius, length};
  return Capsule{radius, length};
}

void read_shape(const TomlValue& table, const std::string& folder, SceneShapes& out) {
  allow_keys(table, "body.shape");
  const std::string kind = table.only_key(variant_names("body.shape"), "shape");
  ShapeInstance shape{read_geometry(kind, table.find(kind), folder), read_place(table), true, true, "", ""};
  if (const TomlValue collide = table.find("collide")) shape.collide = collide.truth();
  if (const TomlValue color = table.find("color")) shape.color = read_color(color);
  if (const TomlValue hull = table.find("hull")) {
    if (kind != "mesh") hull.fail("expected a mesh beside it, found " + in_quotes(kind));
    shape.hull = hull.truth();
  }
  if (const TomlValue group = table.find("group")) shape.group = group.name();
  if (const TomlValue material = table.find("material")) read_material(material, shape.material);
  if (const TomlValue patch = table.find("patch")) {
    shape.material.is_area = patch.one_of(choices("body.shape", "patch")) == "area";
  }
  if (const TomlValue density = table.find("density")) {
    if (!(density.number() >= 0.0))
      density.fail(fmt::format("expected a density that is not negative, found {}", density.number()));
    try {
      out.mass = combine(out.mass, to_parent(mass_properties(shape.shape, density.number()), shape.at.R, shape.at.p));
    } catch (const std::runtime_error& problem) {  // an open mesh, or numbers near the end of the range
      table.find(kind).fail(printable(problem.what()));
    }
  }
  try {
    out.evenly = combine(out.evenly, to_parent(mass_properties(shape.shape, 1.0), shape.at.R, shape.at.p));
  } catch (const std::runtime_error&) {  // an open mesh, for looks
  }
  out.shapes.push_back(std::move(shape));
}

}  // namespace

std::string read_color(const TomlValue& value) {
  const std::string& text = value.text();
  if (text.size() != 7 || text[0] != '#' || text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
    value.fail("expected a color such as \"#4477aa\", found " + in_quotes(text));
  return text;
}

void read_material(const TomlValue& table, SurfaceMaterial& out) {
  allow_keys(table, "material");
  const ContactCoefficients read = read_coefficients(table);
  out.friction = read.friction;
  out.restitution = read.restitution;
}

SceneShapes read_shapes(const TomlValue& body, const std::string& folder) {
  SceneShapes out;
  if (const TomlValue list = body.find("shape"))
    for (const TomlValue& shape : list.items()) read_shape(shape, folder, out);
  return out;
}

MassProperties read_mass(const TomlValue& body, const SceneShapes& shapes) {
  const bool only_mass = body.find("mass") && !body.find("com") && !body.find("inertia");
  const MassProperties& of_shapes = only_mass && shapes.mass.mass == 0.0 ? shapes.evenly : shapes.mass;
  MassProperties out = of_shapes;
  if (const TomlValue mass = body.find("mass")) {
    out.mass = mass.number();
    if (!(out.mass >= 0.0)) mass.fail(fmt::format("expected a mass that is not negative, found {}", out.mass));
    if (of_shapes.mass > 0.0) out.inertia = (out.mass / of_shapes.mass) * of_shapes.inertia;
  }
  for (const char* key : {"com", "inertia"})
    if (body.find(key) && !body.find("mass") && of_shapes.mass == 0.0)
      body.fail_key(key, fmt::format("expected a mass with the {}, found none", key));
  if (const TomlValue com = body.find("com")) out.com = com.vec3();
  if (const TomlValue inertia = body.find("inertia")) {
    const std::vector<double> I = inertia.numbers(6);
    out.inertia = {I[0], I[1], I[2], I[3], I[4], I[5]};
  }
  return out;
}

}  // namespace cardan::io
