// Defaults of the table of keys as values.
#pragma once

#include "cardan/io/internal/scene_keys.hpp"

#include <optional>

namespace cardan::io {

/// Reads the default of a key where it is a finite value, not a sentence.
std::optional<TomlNode> default_value(const SceneKey& key);

}  // namespace cardan::io
