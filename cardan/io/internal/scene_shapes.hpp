// The shapes of a scene's body, and the mass that they or the body give.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan::io {

struct SceneShapes {
  std::vector<ShapeInstance> shapes;
  MassProperties mass;    // of those with a density
  MassProperties evenly;  // of all that have a volume, each with the density 1
};

/// All [[body.shape]] of a body; meshes are looked for in the folder.
SceneShapes read_shapes(const TomlValue& body, const std::string& folder);

/// color = "#4477aa".
std::string read_color(const TomlValue& value);
/// material = { friction, restitution }.
void read_material(const TomlValue& table, SurfaceMaterial& out);

/// mass, com and inertia of the body. What it does not give comes from the shapes, scaled to its mass if it gives that;
/// a mass alone, with shapes that have no density, is spread over them evenly.
MassProperties read_mass(const TomlValue& body, const SceneShapes& shapes);

}  // namespace cardan::io
