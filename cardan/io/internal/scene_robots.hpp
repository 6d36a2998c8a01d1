// The robots of a scene: [[robot]] brings in the bodies and joints of another file, [robot.set.NAME] changes them.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model_builder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan::io {

struct SceneRobot {
  std::vector<std::string> bodies;                             // with the robot's name before theirs
  std::vector<std::pair<std::string, std::string>> untouched;  // pairs of bodies that never touch
};

/// Adds a robot to the model in the making; its files are looked for in the folder. What was left out or guessed is
/// appended to the warnings.
SceneRobot add_robot(ModelBuilder& builder, const TomlValue& entry, const std::string& folder,
                     std::vector<std::string>& warnings);

}  // namespace cardan::io
