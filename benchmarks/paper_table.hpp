// The table of Si and Guenter, with our numbers.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Prints it and appends its rows.
void print_paper_table(nlohmann::json& rows);

}  // namespace cardan::bench
