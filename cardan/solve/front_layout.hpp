// Arranges the matrices M + J' D J of a LawProblem for elimination without pivoting: which unknowns are eliminated
// together (fronts), what each front touches, and where entries of M and of the blocks go. Velocities in a row without
// a branch between them are one node of a graph; nodes are neighbors where one is an ancestor of the other or a block
// touches both. The order is that of approximate minimum degree (EliminationTree), which eliminates a tree from its
// leaves to its root without fill. Nodes whose fronts nest exactly are joined. The arrangement is kept as long as the
// graph stays; blocks may come and go within it.
#pragma once

#include "cardan/solve/law_problem.hpp"

namespace cardan {

class FrontLayout {
 public:
  /// A dense square matrix by columns: first the unknowns that it eliminates, then those that it leaves to its parent.
  struct Front {
    int own = 0, all = 0;           // unknowns
    int stride = 0;                 // from column to column, with space for kernels that work on eight rows at a time
    std::size_t first = 0;          // of its numbers in the memory of all fronts
    std::size_t first_unknown = 0;  // in unknowns()
    int parent = -1;
    std::size_t first_run = 0, last_run = 0;  // how the unknowns behind its own lie in the parent
  };
  /// Consecutive numbers: in a front, and in its parent or in a block.
  struct Run {
    int from = 0, to = 0, length = 0;
  };
  struct BlockPlace {
    int front = 0;
    std::size_t first_run = 0, last_run = 0;  // from the columns of the block to the front
  };
  /// Where an entry of the mass matrix goes, and its mirror image.
  struct MassPlace {
    std::size_t lower = 0, upper = 0;
  };

  /// Arranges the problem; the graph is analyzed only where it differs from the last one.
  void arrange(const LawProblem& problem);

  const std::vector<Front>& fronts() const { return fronts_; }
  std::size_t memory() const { return memory_; }
  std::span<const int> unknowns(const Front& front) const {
    return {unknowns_.data() + front.first_unknown, static_cast<std::size_t>(front.all)};
  }
  std::span<const Run> runs(const Front& front) const {
    return {runs_.data() + front.first_run, front.last_run - front.first_run};
  }
  const BlockPlace& place(std::size_t block) const { return places_[block]; }
  std::span<const Run> runs(const BlockPlace& place) const {
    return {block_runs_.data() + place.first_run, place.last_run - place.first_run};
  }
  /// In the order of the parts, their velocities and the paths of these from the root on.
  std::span<const MassPlace> mass() const { return mass_; }

 private:
  struct Node {
    int first = 0, size = 0;  // velocities
    int parent = -1;          // node
    bool leaf = true;
  };
  bool same_parts(const LawProblem& problem);
  void find_nodes(const LawProblem& problem);
  void gather_couplings(const LawProblem& problem);
  bool is_ancestor(int above, int node) const;
  void analyze();
  void lay_out(const std::vector<std::vector<int>>& nodes_of_front, const std::vector<int>& own_nodes);
  void place_mass(const LawProblem& problem);
  void place_blocks(const LawProblem& problem);
  int position(int front, int node) const;

  std::vector<int> parts_, next_parts_;  // sizes and parents: what nodes depend on
  std::vector<Node> nodes_;
  std::vector<int> node_of_;                                     // velocity
  std::vector<std::pair<int, int>> couplings_, next_couplings_;  // of nodes that are not on one branch
  std::vector<int> touched_;

  std::vector<Front> fronts_;
  std::vector<int> front_of_node_;
  std::vector<std::pair<int, int>> places_in_front_;  // (order of elimination of a node, position), by front
  std::vector<std::size_t> first_place_;
  std::vector<int> order_of_node_;
  std::vector<int> unknowns_;
  std::vector<Run> runs_, block_runs_;
  std::vector<BlockPlace> places_;
  std::vector<MassPlace> mass_;
  std::size_t memory_ = 0;
};

}  // namespace cardan
