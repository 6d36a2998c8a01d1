// An algorithm, run once on symbols: what it computes for one model, as a graph.
#pragma once

#include "cardan/compile/model_function.hpp"
#include "cardan/program/program.hpp"

#include <memory>

namespace cardan {

struct Trace {
  std::unique_ptr<Graph> graph;
  program::Interface interface;  // arrays as in signature()
};

/// frame: of pose and jacobian. Throws GraphTooLarge if it takes more nodes.
Trace trace(const Model& model, ModelFunction function, int frame = 0, std::size_t most_nodes = 20'000'000);

}  // namespace cardan
