// What users call the coordinates of joints.
#pragma once

#include "cardan/joints/joint.hpp"

#include <string>
#include <vector>

namespace cardan {

/// Names the coordinates of a joint (`of_velocities`: its velocities), one for each; empty texts where one has no name,
/// as the angle of a hinge has none.
std::vector<std::string> coordinate_names(const Joint& joint, bool of_velocities);

}  // namespace cardan
