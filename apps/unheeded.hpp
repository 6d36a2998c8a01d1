// Limits that a model gives and a run did not heed.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <span>
#include <string>
#include <vector>

namespace cardan::command {

/// Lists them, a line each: limits of positions that nothing holds (those of the start together), limits of velocities,
/// which nothing ever holds, and limits of efforts that motions and forces at joints exceed, since they limit
/// controllers alone.
std::vector<std::string> unheeded(const Trajectory& run, SystemWorkspace& workspace);

/// Says in one line which joints are outside their limits at the start, and the nearest pose inside; empty where none
/// is.
std::string start_outside_limits(const Model& model, std::span<const double> q);

/// Says which limits of a model are data alone; empty where it has none such.
std::string data_alone(const Model& model);

}  // namespace cardan::command
