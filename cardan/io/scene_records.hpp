// [[record]] of scene files.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/io/toml.hpp"
#include "cardan/simulate/records.hpp"

namespace cardan::io {

Records read_records(const Model& model, const Forces& forces, const std::vector<TomlValue>& tables);

}  // namespace cardan::io
