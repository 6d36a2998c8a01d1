// [[record]] of scene files.
#pragma once

#include "cardan/dynamics/records.hpp"
#include "cardan/io/internal/scene_drives.hpp"
#include "cardan/io/internal/scene_inputs.hpp"
#include "cardan/io/internal/scene_motions.hpp"

namespace cardan::io {

/// What records may speak of by name, beside frames, joints and loops of the model.
struct Recordable {
  std::vector<NamedMotion> motions{};
  Forces controllers{};
  std::vector<NamedDrive> drives{};
};

Records read_records(const Model& model, const Forces& forces, const Recordable& scene, const SceneInputs& inputs,
                     const std::vector<TomlValue>& tables);

}  // namespace cardan::io
