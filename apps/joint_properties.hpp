// What the joints of a model carry beside their motion, as a table of `cardan info`.
#pragma once

#include "cardan/model/model.hpp"

#include <string>

namespace cardan::command {

/// Lists friction, damping, armature, springs and limits of effort and velocity of the joints that have some; columns
/// in which no joint has anything are left out. Empty where there is nothing to list.
std::string joint_properties(const Model& model);

}  // namespace cardan::command
