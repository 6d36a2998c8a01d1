// The step of a variational integrator, traced on symbols for one tree.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/program/program.hpp"

namespace cardan {

/// Programs that read one array: q0, q1, x, a momentum, the diagonal and h, in this order (discrete_step_code.hpp).
struct DiscreteStepPrograms {
  Program newton;  // writes the correction and the least cosine, and the factor
  Program reuse;   // reads the factor as a second array, writes the correction and the least cosine
  Program finish;  // writes momentum and velocity at q1
  int factor_size = 0;
};

/// Throws GraphTooLarge if it takes more nodes.
DiscreteStepPrograms trace_discrete_step(const Model& model, std::size_t most_nodes);

}  // namespace cardan
