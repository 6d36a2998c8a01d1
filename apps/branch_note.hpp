// Says of a run of a sweep whether its loops start on another branch than those of the scene as given.
#pragma once

#include "cardan/dynamics/scene.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cardan::command {

/// The scene, put together, with varied values that are this share of the way from the scene as given (0) to the run
/// (1).
using SceneOnTheWay = std::function<Scene(double share)>;

/// Compares the run with the scene as given, whose configuration is `as_given`. Looks at scenes in between as well:
/// where branches meet on the way, continuous motion may lead from one to the other, and the note says that it is
/// unclear.
std::string branch_note(const Scene& run, const std::vector<double>& as_given, const SceneOnTheWay& scene_at);

/// True if a function that is nowhere negative falls to zero between some of these values, up to the one with this
/// index, and rises again: they are smoother (smaller second differences) if they change their sign there.
bool passes_zero(const std::vector<double>& values, std::size_t last);

}  // namespace cardan::command
