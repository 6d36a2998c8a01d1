// Reads scene files (TOML): a mechanism, its initial state, what acts on it and how it is to be simulated.
// docs/scenes.md describes the format. Mistakes are ModelError, one line: scene: FILE:LINE:COLUMN: key: expected ...,
// found ...
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/model/state.hpp"
#include "cardan/simulate/records.hpp"
#include "cardan/simulate/simulator.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// What [simulation] says; empty where it says nothing.
struct SimulationSettings {
  std::optional<double> duration, step, output_every, tolerance;  // s, s, s, -
  std::string integrator, formulation, constraint_method;
};

/// The same with defaults where it says nothing.
SimulationOptions simulation_options(const SimulationSettings& settings);
SystemOptions system_options(const SimulationSettings& settings);

struct Scene {
  Model model;
  State initial;
  SimulationSettings simulation;
  Loads loads;
  /// What was left out or guessed, a line each; the model's own doubts are in model.warnings().
  std::vector<std::string> warnings;
  /// Joints that had to move from where the file has them to close the loops, a line each.
  std::vector<std::string> assembled{};
  /// What [[record]] asks for.
  Records records{};
};

Scene load_scene(const std::string& path);

/// The same from text in memory; messages call it by the name, and other files are looked for in that name's folder.
Scene parse_scene(std::string_view text, const std::string& name);

}  // namespace cardan
