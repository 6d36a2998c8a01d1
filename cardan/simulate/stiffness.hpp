// Estimates how fast the fastest thing in a system is: the largest |lambda| of its linearization x' = A x, x = (q, v,
// z). Steps of an explicit method must not be longer than about 3/|lambda|, whatever happens to the motion.
#pragma once

#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

struct Stiffness {
  double rate = 0.0;  // |lambda|, 1/s
  /// Damping and stiffness over mass along that mode, 1/s and 1/s^2.
  double damping = 0.0, stiffness = 0.0;
  std::string where;  // what moves so fast: "joint "knee"", or a force with states of its own
};

/// Estimates it at a state of the problem by power iteration on differences of the accelerations, with all constraints:
/// some thirty evaluations, no matrix. Good to a few percent where one mode, or one pair, is the fastest by far.
Stiffness estimate_stiffness(SystemWorkspace& workspace, double t, const State& state);

/// Computes the longest step with which a method of this name stays stable; infinity of implicit and adaptive ones.
double longest_stable_step(const std::string& integrator, const Stiffness& stiffness);

}  // namespace cardan
