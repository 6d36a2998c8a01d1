// Scenes to begin with: the files of apps/templates, compiled into the command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan::command {

struct SceneTemplate {
  std::string name;
  std::string_view text;  // whose first line, a comment, says what it is
};

/// Lists all of them, by name.
const std::vector<SceneTemplate>& scene_templates();

}  // namespace cardan::command
