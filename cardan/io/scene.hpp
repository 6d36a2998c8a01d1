// Reads scene files (TOML): a mechanism, its initial state, what acts on it and how it is to be simulated.
// docs/scenes.md describes the format. Mistakes are ModelError, one line: scene: FILE:LINE:COLUMN: key: expected ...,
// found ...
#pragma once

#include "cardan/io/scene_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// Reads what the file says; loops are closed later, by assemble() or when the scene is simulated.
Scene load_scene(const std::string& path, const std::vector<std::string>& changes = {});

/// Reads text in memory; messages call it by the name, and other files are looked for in that name's folder.
/// `changes` are texts NAME=VALUE: parameters, or paths such as body.rod.mass (docs/parameters.md).
Scene parse_scene(std::string_view text, const std::string& name, const std::vector<std::string>& changes = {});

}  // namespace cardan
