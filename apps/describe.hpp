// The contents of a model as text for people and as JSON for machines.
#pragma once

#include "apps/accuracy.hpp"
#include "cardan/constraints/mobility.hpp"
#include "cardan/dynamics/scene.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cardan::command {

/// Counts what can touch.
struct CollisionCounts {
  std::size_t shapes = 0, bodies = 0;
  long pairs = 0;  // of shapes
};

struct Description {
  const Scene& scene;
  std::optional<Mobility> mobility;          // where there are loops or couplings
  std::optional<CollisionCounts> collision;  // where shapes collide
  std::optional<Accuracy> accuracy;          // where it is asked for
  std::vector<std::string> assembled;        // joints that had to move to close loops
  std::vector<std::string> warnings;
};

std::string describe(const Description& description);
std::string describe_as_json(const Description& description);

}  // namespace cardan::command
