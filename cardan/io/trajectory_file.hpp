// Trajectories as files.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <vector>

namespace cardan {

/// t, then q.JOINT for a joint of one coordinate, q.JOINT.k (k from 0) for others, the same with v, then energy,
/// kinetic, potential.
std::vector<std::string> trajectory_columns(const Model& model);

/// A header, then a line for every row: all digits of every number (17), commas between. Names that contain commas or
/// quotes stand in quotes.
std::string trajectory_csv(const Trajectory& trajectory);

/// A line "cardan trajectory 1", the header as in CSV, then every row as doubles in the machine's byte order.
std::string trajectory_binary(const Trajectory& trajectory);

}  // namespace cardan
