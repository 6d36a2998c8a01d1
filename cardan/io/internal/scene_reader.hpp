// Makes a scene of the tree of its file.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// `file`: in whose folder other files are looked for. `course`: of inputs, where it is known in advance; else null.
Scene read_scene(const TomlNode& root, const Source& source, const std::string& file, const CsvTable* course);

}  // namespace cardan::io
