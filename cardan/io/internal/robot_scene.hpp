// A robot, which has no scene, as one: bodies on joints, mimics as couplings.
#pragma once

#include "cardan/io/scene_spec.hpp"

namespace cardan::io {

/// Describes the tree of a robot by names, for a file at this path; what could not be said is a warning of the scene
/// that it gives.
SceneSpec robot_scene(const Scene& robot, const std::string& path);

}  // namespace cardan::io
