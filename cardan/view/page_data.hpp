// What the page knows of a mechanism and its run, as JSON text. web/src/data.ts reads it; docs/viewer.md describes it.
#pragma once

#include "cardan/simulate/trajectory.hpp"
#include "cardan/view/contact_arrows.hpp"
#include "cardan/view/snapshot.hpp"

#include <string>

namespace cardan::view {

/// More outputs than this are thinned: a page need not be finer than the screen.
constexpr std::size_t kMostFrames = 20'000;

/// Describes the mechanism: bodies with their joints, shapes, meshes, frames, lines, loops, and the columns of
/// `snapshots`.
std::string mechanism_json(const Scene& scene, const Snapshots& snapshots);

/// Says how well a run met its laws: {"said": [...], "good": true}.
std::string health_json(const std::vector<std::string>& said, bool good);

/// A run as arrays of numbers, and how many outputs were left out between two that are in it (0: none).
struct RunData {
  std::string json;
  std::size_t every = 1;
};
/// `contacts` has an instant for every row, where there are any.
RunData run_json(const Trajectory& run, Snapshots& snapshots, const ContactArrows* contacts = nullptr);

}  // namespace cardan::view
