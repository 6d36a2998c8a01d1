// [[loop]] and [[coupling]] of scene files, and putting the mechanism together.
#pragma once

#include "cardan/io/toml.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/system.hpp"

#include <set>

namespace cardan::io {

/// Gives the names of the loops, those made up included.
std::vector<std::string> add_loops(ModelBuilder& builder, const std::vector<TomlValue>& loops,
                                   const std::set<std::string>& bodies);

void add_couplings(ModelBuilder& builder, const std::vector<TomlValue>& couplings);

/// Makes the state obey. Gives a line for each joint that had to move; complains of a loop that cannot close.
std::vector<std::string> close_loops(const TomlValue& root, const Model& model, const Loads& loads,
                                     const KeptJoints& kept, const std::vector<TomlValue>& loops,
                                     const std::vector<std::string>& names, State& state);

}  // namespace cardan::io
