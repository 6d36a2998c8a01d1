// Accelerations of examples with loops, springs and motions: generic algorithms and whole systems as machine code.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Prints them and appends their rows.
void time_linkages(nlohmann::json& rows);

}  // namespace cardan::bench
