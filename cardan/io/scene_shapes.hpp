// The shapes of a scene's body, and the mass that they or the body give.
#pragma once

#include "cardan/io/toml.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan::io {

struct SceneShapes {
  std::vector<ShapeInstance> shapes;
  MassProperties mass;  // of those with a density
};

/// All [[body.shape]] of a body; meshes are looked for in the folder.
SceneShapes read_shapes(const TomlValue& body, const std::string& folder);

/// mass, com and inertia of the body. What it does not give comes from the shapes, scaled to its mass if it gives that.
MassProperties read_mass(const TomlValue& body, const MassProperties& of_shapes);

}  // namespace cardan::io
