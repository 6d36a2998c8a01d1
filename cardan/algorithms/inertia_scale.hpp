// What a pivot of the mass matrix is to be compared with: one that is nothing beside the inertia of what the joint
// carries is rounding, however small the joint's own diagonal entry has become.
#pragma once

#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// Computes for each velocity the kinetic energy (doubled) of the bodies that its joint carries, rigid and in their
/// zero pose, if they turned about the worst axis and shifted as fast as the joint makes them; armature is added.
std::vector<double> inertia_scales(const Model& model);

}  // namespace cardan
