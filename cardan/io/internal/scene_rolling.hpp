// [[rolling]] of scene files.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

Constraints read_rolling(const Model& model, const std::vector<TomlValue>& tables);

}  // namespace cardan::io
