// Reads SDF files (.sdf, .world), versions 1.2 to 1.12, as scenes.
//   world, model, include, frame   the pose graph: relative_to, attached_to, placement_frame, scopes MODEL::LINK
//   link                           a body called MODEL::LINK; free in the world where it is no joint's child
//   joint                          in the tree, or an exact loop where the child has a joint already; gearbox and mimic
//                                  are couplings
//   inertial                       1 kg and unit moments where nothing is said
//   visual, collision              shapes to see; nothing touches
// What is not read is told in one of the scene's warnings, by the names of the elements.
#pragma once

#include "cardan/io/scene_spec.hpp"

namespace cardan {

/// Throws ModelError, one line: sdf: FILE:LINE: ...
SceneSpec load_sdf(const std::string& path);
SceneSpec parse_sdf(std::string_view text, const std::string& name);

}  // namespace cardan
