// Sums of products as chains of fused multiply-adds. A tree of additions, subtractions and signs in which no partial
// sum is read elsewhere may be summed in any order; begun with a term that is no product, every product costs one
// instruction, the addition included.
#pragma once

#include "cardan/symbolic/graph.hpp"

#include <span>
#include <vector>

namespace cardan::program {

struct Term {
  NodeId node = 0;
  bool negative = false;
  bool product = false;  // its two factors are read instead of the node
  int ready = 0;         // when it can be read, in cycles
};

/// A sum with all its terms, in the order in which they become available.
struct Sum {
  NodeId root = 0;  // the node that it is
  std::vector<Term> terms;
};

struct Sums {
  std::vector<Sum> list;
  std::vector<int> of_node;    // which sum a node is, or -1
  std::vector<char> vanished;  // nodes that are only parts of sums
};

/// order: the nodes that are computed, operands first.
Sums find_sums(const Graph& graph, std::span<const NodeId> order, std::span<const Expr> outputs);

}  // namespace cardan::program
