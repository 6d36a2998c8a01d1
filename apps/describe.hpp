// The contents of a model as text for people and as JSON for machines.
#pragma once

#include "cardan/model/model.hpp"

#include <string>
#include <vector>

namespace cardan::command {

std::string describe(const Model& model, const std::vector<std::string>& warnings);
std::string describe_as_json(const Model& model, const std::vector<std::string>& warnings);

}  // namespace cardan::command
