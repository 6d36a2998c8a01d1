// [view] of scene files.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// Reads how the scene asks to be shown; its bodies, joints and records must be those of the scene. False: no table.
SceneView read_view(const Scene& scene, const TomlValue& table);

}  // namespace cardan::io
