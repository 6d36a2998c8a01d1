// Times elimination on the graph of bodies: ladders of hinged bars with loads across their hinges, and trees, against
// plain forward dynamics of a chain in the same run.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Prints a table, and adds rows for build/bench.json.
void time_ladders(nlohmann::json& rows);

}  // namespace cardan::bench
