// The texts of a scene's expression joints, for editors that change them.
#pragma once

#include "cardan/symbolic/definitions.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardan {

/// What [body.joint] of type "expression" says.
struct JointFormula {
  std::string joint;
  std::vector<std::string> coordinates;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<Definition> let;
  std::string transform;
};

/// Finds the expression joints of the bodies of a scene that parse_scene can read.
std::vector<JointFormula> scene_formulas(std::string_view text, const std::string& name);

}  // namespace cardan
