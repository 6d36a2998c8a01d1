// What an editor may change of a scene while it runs: its parameters, and the texts of its expression joints.
#pragma once

#include "cardan/io/scene_spec.hpp"
#include "cardan/symbolic/definitions.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan {

/// What [body.joint] of type "expression" says.
struct JointFormula {
  std::string joint;
  std::vector<std::string> coordinates;  // and at last "t", where the pose follows the time
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<Definition> let;
  std::string transform;
  Symbols scene{};  // what all texts of the scene may use: its parameters and tables
};

/// A number of [parameters]; `text` is what the file says where it follows from others, else empty.
struct SceneParameter {
  std::string name;
  double value = 0.0;
  std::string text;
};

struct SceneTexts {
  std::vector<JointFormula> formulas;
  std::vector<SceneParameter> parameters;
};

/// Finds the parameters and the expression joints of the bodies of a scene that can be bound.
SceneTexts scene_texts(const SceneSpec& spec);

}  // namespace cardan
