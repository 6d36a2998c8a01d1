// [[loop]] and [[coupling]] of scene files.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model_builder.hpp"

#include <set>

namespace cardan::io {

void add_loops(ModelBuilder& builder, const std::vector<TomlValue>& loops, const std::set<std::string>& bodies);

void add_couplings(ModelBuilder& builder, const std::vector<TomlValue>& couplings);

}  // namespace cardan::io
