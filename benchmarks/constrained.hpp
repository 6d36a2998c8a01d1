// Mechanisms with loops: against the same tree without them, as they grow, and against a peer.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Prints it and appends its rows.
void time_constrained(nlohmann::json& rows);

}  // namespace cardan::bench
