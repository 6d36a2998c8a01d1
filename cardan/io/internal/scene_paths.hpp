// Points and wraps of the paths of springs, cables and muscles in scene files.
#pragma once

#include "cardan/forces/path.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// `points` and `wraps` of a force.
Path read_path(const Model& model, const TomlValue& table);

}  // namespace cardan::io
