// Collision: pairs of solids whose last features are known, and the broad phase as it grows.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Prints it and appends its rows.
void time_collision(nlohmann::json& rows);

}  // namespace cardan::bench
