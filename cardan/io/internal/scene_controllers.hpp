// [[controller]] of scene files.
#pragma once

#include "cardan/io/internal/scene_words.hpp"

namespace cardan::io {

/// Each has a name of its own (Controller::joints().name).
Forces read_controllers(const SceneWords& words, const std::vector<TomlValue>& controllers);

}  // namespace cardan::io
