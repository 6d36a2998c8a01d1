// Random scene files: trees of a few bodies with loops that close, and whatever acts on them.
#pragma once

#include <random>
#include <string>

namespace cardan::test {

struct RandomSceneOptions {
  int most_bodies = 8;
  int fewest_loops = 0, most_loops = 0;
  bool forces = false;                // springs, a muscle, a strand, dampers
  bool only_balls = false;            // close loops
  bool some_without_inertia = false;  // each body has inertia, is a point mass or is massless, with equal chance
};

/// A scene file without [simulation]; the same generator state gives the same text.
std::string random_scene(std::mt19937& generator, const RandomSceneOptions& options);

}  // namespace cardan::test
