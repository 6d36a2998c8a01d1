// Reads the shapes and masses of an MJCF file: primitive geoms, meshes of <asset>, <inertial>.
#pragma once

#include "cardan/io/internal/mjcf_compiler.hpp"
#include "cardan/model/mass_properties.hpp"
#include "cardan/model/shape.hpp"

namespace cardan::io {

class MjcfShapes {
 public:
  static constexpr double kWater = 1000.0;  // kg/m^3, density of geoms where nothing is said

  MjcfShapes(MjcfDocument& document, const MjcfCompiler& compiler) : document_(document), compiler_(compiler) {}

  /// Reads <inertial>.
  MassProperties explicit_mass(const XmlElement& inertial) const;
  /// Reads a primitive geom; `pose` becomes that of its ends where it is given by these. None: a plane or mesh.
  std::optional<Shape> shape_of(const MjcfElement& geom, Pose<double>& pose) const;
  /// Reads the mesh of a geom from its file, in the axes of that; `body` is for messages.
  Shape mesh_of(const MjcfElement& geom, const std::string& body) const;

 private:
  MjcfDocument& document_;
  const MjcfCompiler& compiler_;
};

}  // namespace cardan::io
