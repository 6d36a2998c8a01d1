// Trajectories as files.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <vector>

namespace cardan {

/// A header (trajectory_columns, then what was recorded), then a line for every row: all digits of every number (17),
/// commas between. Names that contain commas or quotes stand in quotes.
std::string trajectory_csv(const Trajectory& trajectory);

/// A line "cardan trajectory 1", the header as in CSV, then every row as doubles in the machine's byte order.
std::string trajectory_binary(const Trajectory& trajectory);

/// Reads a run of this model from its CSV file. Throws ModelError, one line, where it is another model's.
Trajectory load_trajectory(const Model& model, const std::string& path);

}  // namespace cardan
