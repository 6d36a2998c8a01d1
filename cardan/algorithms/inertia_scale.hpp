// Scales of inertia with which pivots of the mass matrix are compared: one that is nothing beside the inertia of the
// bodies next to the joint is rounding, however small the joint's own diagonal entry has become. Bodies further out do
// not count: a pivot of a long chain is that of its next links, whatever the whole chain would resist.
#pragma once

#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// Computes for each velocity the kinetic energy (doubled) of the body that its joint moves and of the next three
/// generations, rigid and in their zero pose, if they turned about the worst axis and shifted as fast as the joint
/// makes them; armature is added.
std::vector<double> inertia_scales(const Model& model);

}  // namespace cardan
