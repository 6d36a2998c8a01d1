// Trajectories as files.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <vector>

namespace cardan {

enum class TrajectoryFormat { csv, binary };

/// What a file begins with, and a row of it, which is appended to `out`: for files that are written during a run.
std::string trajectory_head(const Trajectory& trajectory, TrajectoryFormat format);
void append_row(const Trajectory& trajectory, std::size_t row, TrajectoryFormat format, std::string& out);

/// A header (trajectory_columns, what was recorded, states of forces), then a line for every row: all digits of every
/// number (17), commas between. Names that contain commas or quotes stand in quotes.
std::string trajectory_csv(const Trajectory& trajectory);

/// A line "cardan trajectory 1", the header as in CSV, then every row as doubles in the machine's byte order.
std::string trajectory_binary(const Trajectory& trajectory);

/// Reads a run of this model from its CSV file, with those of these states (state_columns) that the file has. Throws
/// ModelError, one line, where it is another model's.
Trajectory load_trajectory(const Model& model, const std::string& path, std::vector<std::string> states = {});

}  // namespace cardan
