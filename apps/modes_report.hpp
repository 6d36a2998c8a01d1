// Equilibrium and modes of a scene, as text and as JSON.
#pragma once

#include "cardan/simulate/equilibrium.hpp"

#include <string>

namespace cardan::command {

struct ModesReport {
  State equilibrium;  // of the model
  double residual = 0.0;
  bool stable = false;
  std::vector<Mode> modes;
  std::vector<RestingLimit> limits;
};

/// Finds the equilibrium near the scene's initial state and the modes about it. Throws std::runtime_error, one line,
/// where there is none; `command` begins the line.
ModesReport find_modes_of(Scene scene, const std::string& command);

/// {"q", "residual", "stable"} of the equilibrium; "neutral" and "limits" where there are such.
std::string equilibrium_json(const ModesReport& report);
std::string modes_json(const ModesReport& report);
std::string modes_text(const Model& model, const ModesReport& report);

}  // namespace cardan::command
