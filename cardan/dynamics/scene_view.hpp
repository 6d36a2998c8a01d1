// How a scene asks to be shown: [view] of scene files. Nothing here changes a run.
#pragma once

#include "cardan/math/vector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cardan {

struct SceneView {
  std::optional<Vec3<double>> from{};  // direction from the mechanism to the camera, in the world, of any length
  int follow = 0;                      // the body that the camera goes with; 0: none is named
  std::vector<std::string> plots{};    // shown at first: records, joints, "energy", "tensions"
  std::vector<std::string> hide{};     // layers that are off at first
  std::string description{};           // a line about the scene
};

}  // namespace cardan
