// The visual and collision shapes of a URDF link, with colors and meshes.
#pragma once

#include "cardan/io/internal/xml.hpp"
#include "cardan/io/urdf.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/spatial/se3.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cardan::io {

/// Part of the warning about a mesh that could not be read.
inline constexpr const char* kWithoutTriangles = "the shape is kept without triangles";

/// The <origin> of an element: xyz and fixed-axis rpy, both zero where not given.
Pose<double> urdf_origin(const XmlElement& element);

class UrdfShapes {
 public:
  UrdfShapes(const UrdfOptions& options, const std::string& file, std::vector<std::string>& warnings);

  /// Colors that shapes may refer to by name: materials of the robot and of all links.
  void read_materials(const XmlElement& robot);
  std::vector<ShapeInstance> of_link(const XmlElement& link);

 private:
  std::optional<ShapeInstance> shape(const XmlElement& element);
  std::optional<Shape> geometry(const XmlElement& geometry);
  Mesh mesh(const XmlElement& element);
  std::string color(const XmlElement& visual) const;

  const UrdfOptions& options_;
  std::string file_;
  std::vector<std::string>& warnings_;
  std::map<std::string, std::string> colors_;
  std::map<std::string, Mesh> meshes_;  // by path: one file often serves as visual and collision shape
};

/// The file that a mesh reference of a URDF file means, or empty if there is none: package://NAME/..., file://...,
/// an absolute path, or one relative to the URDF file.
std::string resolve_urdf_path(const std::string& reference, const std::string& urdf_file,
                              const std::vector<std::string>& package_paths);

}  // namespace cardan::io
