#include "cardan/io/internal/urdf_shapes.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/internal/mesh_file.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cardan::io {
namespace fs = std::filesystem;

namespace {

/// "#rrggbb" of the red, green, blue and opacity from 0 to 1.
std::string hex_color(const XmlElement& color) {
  const auto rgba = color.numbers("rgba", 4);
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i)
    out += fmt::format("{:02x}", static_cast<int>(std::lround(255.0 * std::clamp(rgba[i], 0.0, 1.0))));
  return out;
}

void apply_scale(Mesh& mesh, const Vec3<double>& scale) {
  for (Vec3<double>& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) v[k] *= scale[k];
  // a reflection turns the triangles inside out
  if (scale[0] * scale[1] * scale[2] < 0.0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

constexpr std::string_view kPackageSchemes[]{"package://", "model://"};

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// folder/package/rest, or folder/rest where the folder is the package.
fs::path inside_package(const fs::path& folder, const fs::path& package, const fs::path& rest) {
  if (is_file(folder / package / rest)) return folder / package / rest;
  const fs::path own_name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  if (own_name == package && is_file(folder / rest)) return folder / rest;
  return {};
}

fs::path find_in_packages(const std::string& reference, const fs::path& urdf_folder, std::vector<std::string> folders) {
  const auto slash = std::min(reference.find('/'), reference.size());
  const fs::path package = reference.substr(0, slash);
  const fs::path rest = reference.substr(std::min(slash + 1, reference.size()));
  for (const std::string& folder : folders_in("ROS_PACKAGE_PATH")) folders.push_back(folder);
  for (const std::string& prefix : folders_in("AMENT_PREFIX_PATH")) folders.push_back(fs::path(prefix) / "share");
  for (const std::string& folder : folders)
    if (const fs::path found = inside_package(folder, package, rest); !found.empty()) return found;
  std::error_code error;
  for (fs::path folder = fs::absolute(urdf_folder, error).lexically_normal();; folder = folder.parent_path()) {
    if (const fs::path found = inside_package(folder, package, rest); !found.empty()) return found;
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

std::string resolve_urdf_path(const std::string& reference, const std::string& urdf_file,
                              const std::vector<std::string>& package_paths) {
  const std::string_view view = reference;
  const fs::path folder = fs::path(urdf_file).parent_path();
  for (const std::string_view scheme : kPackageSchemes)
    if (view.starts_with(scheme))
      return find_in_packages(std::string(view.substr(scheme.size())), folder, package_paths).string();
  constexpr std::string_view file_scheme = "file://";
  const fs::path path = view.starts_with(file_scheme) ? view.substr(file_scheme.size()) : view;
  const fs::path found = path.is_absolute() ? path : folder / path;
  return is_file(found) ? found.string() : "";
}

Pose<double> urdf_origin(const XmlElement& element) {
  const XmlElement origin = element.child("origin");
  if (!origin) return {};
  const Vec3<double> rpy = origin.vec3("rpy", {});
  return {rotation_rpy(rpy[0], rpy[1], rpy[2]), origin.vec3("xyz", {})};
}

UrdfShapes::UrdfShapes(const UrdfOptions& options, const std::string& file, std::vector<std::string>& warnings)
    : options_(options), file_(file), warnings_(warnings) {}

void UrdfShapes::read_materials(const XmlElement& robot) {
  const auto add = [&](const XmlElement& material) {
    if (const XmlElement color = material.child("color"); color && material.has("name"))
      colors_.emplace(material.text("name"), hex_color(color));
  };
  for (const XmlElement& material : robot.children("material")) add(material);
  for (const XmlElement& link : robot.children("link"))
    for (const XmlElement& visual : link.children("visual"))
      for (const XmlElement& material : visual.children("material")) add(material);
}

std::vector<ShapeInstance> UrdfShapes::of_link(const XmlElement& link) {
  std::vector<ShapeInstance> out;
  for (const char* kind : {"visual", "collision"})
    for (const XmlElement& element : link.children(kind))
      if (auto found = shape(element)) out.push_back(std::move(*found));
  return out;
}

std::optional<ShapeInstance> UrdfShapes::shape(const XmlElement& element) {
  const Pose<double> at = urdf_origin(element);
  const std::string color = this->color(element);
  const XmlElement outer = element.child("geometry");
  auto shape = outer ? geometry(outer) : std::nullopt;
  if (!shape) {
    warnings_.push_back(element.message("expected a box, sphere, cylinder, capsule or mesh, found none: left out"));
    return std::nullopt;
  }
  if (!std::holds_alternative<Mesh>(*shape)) {
    try {
      validate(*shape);
    } catch (const std::runtime_error& problem) {  // published robots do have boxes of no size
      warnings_.push_back(element.message(fmt::format("{}: left out", problem.what())));
      return std::nullopt;
    }
  }
  const bool visual = element.tag() == "visual";
  return ShapeInstance{std::move(*shape), at, visual, !visual, color, element.has("name") ? element.text("name") : ""};
}

std::optional<Shape> UrdfShapes::geometry(const XmlElement& geometry) {
  if (const XmlElement box = geometry.child("box")) {
    const Vec3<double> size = box.vec3("size");
    return Box{size[0], size[1], size[2]};
  }
  if (const XmlElement sphere = geometry.child("sphere")) return Sphere{sphere.number("radius")};
  if (const XmlElement cylinder = geometry.child("cylinder"))
    return Cylinder{cylinder.number("radius"), cylinder.number("length")};
  if (const XmlElement capsule = geometry.child("capsule"))
    return Capsule{capsule.number("radius"), capsule.number("length")};
  if (const XmlElement element = geometry.child("mesh")) return mesh(element);
  return std::nullopt;
}

Mesh UrdfShapes::mesh(const XmlElement& element) {
  const std::string reference = element.name("filename");
  const Vec3<double> scale = element.vec3("scale", {1.0, 1.0, 1.0});
  const std::string path = resolve_urdf_path(reference, file_, options_.package_paths);
  if (!options_.read_meshes) return Mesh{path.empty() ? reference : path, {}, {}};
  const auto without_triangles = [&](const std::string& why) {
    warnings_.push_back(element.message(fmt::format("{}: {}", why, kWithoutTriangles)));
    return Mesh{path.empty() ? reference : path, {}, {}};
  };
  if (path.empty()) {
    const bool is_packed = std::any_of(std::begin(kPackageSchemes), std::end(kPackageSchemes),
                                       [&](std::string_view scheme) { return reference.starts_with(scheme); });
    return without_triangles(fmt::format(
        "file not found: {}{}", in_quotes(reference),
        is_packed ? " in the folders of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH and above the robot's file" : ""));
  }
  auto known = meshes_.find(path);
  if (known == meshes_.end()) {
    try {
      known = meshes_.emplace(path, read_mesh(path)).first;
    } catch (const std::runtime_error& problem) {
      return without_triangles(printable(problem.what()));
    }
  }
  Mesh out = known->second;
  apply_scale(out, scale);
  return out;
}

std::string UrdfShapes::color(const XmlElement& visual) const {
  const XmlElement material = visual.child("material");
  if (!material) return "";
  if (const XmlElement own = material.child("color")) return hex_color(own);
  const auto named = material.has("name") ? colors_.find(material.text("name")) : colors_.end();
  return named == colors_.end() ? "" : named->second;
}

}  // namespace cardan::io
