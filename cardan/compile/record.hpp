// An algorithm, run once on symbols: what it computes for one model, as a graph.
#pragma once

#include "cardan/compile/model_function.hpp"
#include "cardan/program/program.hpp"

namespace cardan {

struct Recorded {
  Graph graph;
  program::Interface interface;  // arrays as in signature()
};

/// frame: of pose and jacobian.
Recorded record(const Model& model, ModelFunction function, int frame = 0);

}  // namespace cardan
