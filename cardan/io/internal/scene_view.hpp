// [view] of scene files.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/simulate/scene.hpp"

namespace cardan::io {

/// Reads how the scene asks to be shown; its bodies, joints and records must be those of the scene. False: no table.
SceneView read_view(const Scene& scene, const TomlValue& table);

}  // namespace cardan::io
