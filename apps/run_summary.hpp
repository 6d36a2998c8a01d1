// What a run was like, for people and for machines.
#pragma once

#include "cardan/simulate/simulator.hpp"
#include "cardan/simulate/trajectory.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan::command {

struct FinishedRun {
  const System& system;
  const SimulationOptions& options;
  const RunSummary& summary;
  const Trajectory& trajectory;
};

/// What, how much.
std::vector<std::pair<std::string, std::string>> summary_lines(const FinishedRun& run);
std::string summary_json(const FinishedRun& run, const std::vector<std::string>& warnings);

/// What the model says and the run did not heed, a line each.
std::vector<std::string> unheeded(const Trajectory& trajectory);

}  // namespace cardan::command
