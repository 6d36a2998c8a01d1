// The cost of a simulation step against the forward dynamics in it.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Times RK4 steps of panda_arm with compiled forward dynamics, against four compiled forward dynamics in the same run.
void time_stepping(nlohmann::json& rows);

}  // namespace cardan::bench
