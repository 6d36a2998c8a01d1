// What a run was like, for people and for machines.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan::command {

/// Describes how a run went, in pairs of what and how much.
std::vector<std::pair<std::string, std::string>> summary_lines(const Trajectory& run, const SystemWorkspace& workspace);
std::string summary_json(const Trajectory& run, const SystemWorkspace& workspace,
                         const std::vector<std::string>& warnings);

/// Says in a few words each how well the run met its laws: contact, constraints, energy.
std::vector<std::string> health_lines(const Trajectory& run, const SystemWorkspace& workspace);

/// Lists what makes the result doubtful, a line each: energy that drifts where nothing does work, paths that jump.
std::vector<std::string> doubts(const Trajectory& run, const SystemWorkspace& workspace);

/// Lists where the time of a run went: a line for each part of the work, the longest first.
std::string profile_table(const RunProfile& profile);

}  // namespace cardan::command
