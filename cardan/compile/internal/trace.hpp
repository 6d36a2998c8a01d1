// An algorithm, run once on symbols: what it computes for one model, as a graph.
#pragma once

#include "cardan/compile/model_function.hpp"
#include "cardan/model/coordinate_spring.hpp"
#include "cardan/program/program.hpp"

#include <memory>
#include <span>

namespace cardan {

struct Trace {
  std::unique_ptr<Graph> graph;
  program::Interface interface;  // arrays as in signature()
};

struct TraceOptions {
  int frame = 0;                                   // of pose and jacobian
  std::span<const CoordinateSpring> springs = {};  // that act beside tau in forward and inverse dynamics
  std::size_t most_nodes = 20'000'000;
};

/// Throws GraphTooLarge if it takes more nodes.
Trace trace(const Model& model, ModelFunction function, const TraceOptions& options = {});

}  // namespace cardan
