// The order in which the nodes of a graph are eliminated, and what each elimination touches: nodes that share a group
// of rows are neighbors; eliminating a node makes its later neighbors neighbors of one another (fill). The order is
// that of approximate minimum degree, rearranged so that each subtree of the elimination tree is a run: what a node
// leaves to its parent then lies on a stack.
#pragma once

#include "cardan/math/indexed.hpp"

#include <vector>

namespace cardan {

struct EliminationTree {
  /// The elimination of one node.
  struct Front {
    int node = 0;
    std::vector<int> later;     // neighbors that are eliminated after it, in their order, as nodes
    int parent = -1;            // the front of the first of these; -1: none
    std::vector<int> children;  // fronts
    std::vector<int> slots;     // where `later` stands in the parent: 0 is its own node, i its (i-1)-th later one
    std::vector<int> groups;    // whose first node it is
  };
  std::vector<Front> fronts;  // in the order of elimination
  Indexed<int> front_of_node;

  /// `groups`: the nodes of each group of rows; one without nodes belongs to no front.
  EliminationTree(int nodes, const std::vector<std::vector<int>>& groups);

  /// Where a node stands in a front: 0 is the front's own.
  int slot(int front, int node) const;
};

}  // namespace cardan
