// Puts a mechanism together in the coordinates that its system has: loops closed, driven joints where they are led.
#pragma once

#include "cardan/constraints/assembly.hpp"
#include "cardan/dynamics/reduced_problem.hpp"

namespace cardan {

/// Finds a state nearby that satisfies the constraints at t. `reduced`: of independent coordinates, whose dependent
/// ones follow; null where there are none.
Assembly assemble(RecursiveProblem& equations, const ReducedProblem* reduced, double t, const State& state,
                  const KeptJoints& kept);

}  // namespace cardan
