// [[record]] of scene files.
#pragma once

#include "cardan/io/toml.hpp"
#include "cardan/simulate/records.hpp"

namespace cardan::io {

Records read_records(const Model& model, const std::vector<TomlValue>& tables);

}  // namespace cardan::io
