// [[motion]] of scene files.
#pragma once

#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/io/toml.hpp"

namespace cardan::io {

Constraints read_motions(const Model& model, const std::vector<TomlValue>& motions);

}  // namespace cardan::io
