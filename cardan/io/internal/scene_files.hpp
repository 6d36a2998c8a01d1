// Files that a scene names: robots, meshes, height fields, runs.
#pragma once

#include "cardan/io/internal/toml.hpp"

#include <filesystem>

namespace cardan::io {

/// Renames the files that a sound scene names relative to a folder, so that they are found from another one. Absolute
/// names stay.
void rename_files(TomlNode& root, const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace cardan::io
