// An algorithm, run once on symbols: what it computes for one model, as a graph.
#pragma once

#include "cardan/compile/quantity.hpp"
#include "cardan/program/program.hpp"

namespace cardan {

struct Recorded {
  Graph graph;
  Interface interface;  // arrays as in signature()
};

/// frame: of pose and jacobian.
Recorded record(const Model& model, Quantity quantity, int frame = 0);

}  // namespace cardan
