// Random expression graphs with every operation, many shared values and several outputs.
#pragma once

#include "cardan/symbolic/graph.hpp"
#include "tests/support/random_models.hpp"

namespace cardan::test {

struct RandomGraph {
  RandomGraph(Random& random, int inputs, int operations, int outputs);

  Graph graph;
  std::vector<Expr> outputs;
  int inputs;
};

}  // namespace cardan::test
