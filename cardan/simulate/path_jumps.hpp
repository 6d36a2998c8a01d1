// Finds jumps in the paths of springs, cables and muscles along a run: where a path changes the side of a surface that
// it is wrapped over, or a conditional point comes or goes away from the straight line.
#pragma once

#include "cardan/simulate/trajectory.hpp"

namespace cardan {

struct PathJump {
  std::string line;             // "muscle "biceps""
  double t = 0.0;               // s, of the first jump
  double from = 0.0, to = 0.0;  // lengths before and after, m
};

/// The first jump of each line: its length changes between two rows by more than its speed at both explains, by a tenth
/// of its length or more.
std::vector<PathJump> path_jumps(const Trajectory& run, const System& system);

}  // namespace cardan
