// [[force]] and [[motion]] of scene files.
#pragma once

#include "cardan/io/toml.hpp"
#include "cardan/model/model.hpp"
#include "cardan/simulate/loads.hpp"

namespace cardan::io {

Loads read_loads(const Model& model, const std::vector<TomlValue>& forces, const std::vector<TomlValue>& motions);

}  // namespace cardan::io
