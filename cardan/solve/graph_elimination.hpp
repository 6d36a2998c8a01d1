// Minimizes 1/2 |W a|^2 - f'a subject to B a = k, where W and B are groups of rows on the unknowns of a few nodes each
// (Gauss's principle, W'W the inertia): a direct solver that is linear in time on chains, trees and ladders, needs no
// softness, and finds repeated rows of B locally. Nodes are eliminated one by one (EliminationTree). Eliminating node b
// with later neighbors N takes its own rows and what earlier nodes have left:
//   1. an LQ decomposition with row pivoting of the b-part of the constraint rows, C_b Q = [L 0], splits
//      a_b = Q (y, z): y = L1^-1 (c_1 - C_1N a_N) follows from r rows; the others become rows on N alone,
//      C_2N - L2 L1^-1 C_1N, of which independent ones are kept (repetitions are told apart in these small blocks,
//      where their size is rounding, and not in the whole, where it is not);
//   2. a QR decomposition of the z-part of the energy rows gives R_zz z = u - R_zN a_N, and the remaining rows, on N
//      alone, are left to the next node. Square roots of inertia: 1e10 across a plane does not drown 1 within it.
// Back substitution gives a, then the multipliers lambda of W'W a = f + B' lambda. Refinement with the original rows
// makes both exact. On a tree this is the articulated-body algorithm in square-root form.
#pragma once

#include "cardan/math/large_pages.hpp"
#include "cardan/solve/elimination_tree.hpp"

#include <span>
#include <vector>

namespace cardan {

class GraphElimination {
 public:
  static constexpr int kSize = 6;  // unknowns of a node
  static constexpr int kOwn = 8;   // places that they take in a row of a front

  struct Group {
    std::vector<int> nodes{};
    int rows = 0;
    bool is_constraint = false;  // a row of B, else one of W
  };
  /// `length`: the first three unknowns of a node are counted in units of 1/length, so that rows that mix them with the
  /// others (angles and lengths) can be compared.
  GraphElimination(int nodes, std::vector<Group> groups, double length = 1.0);

  /// The entries of a group, row by row, six for each of its nodes in their order. Set them before solve().
  std::span<double> entries(int group) { return {group_entries_.data() + first_entry_[at(group)], group_size(group)}; }
  /// Uses only the first rows of an energy group, until it is called again.
  void set_row_count(int group, int rows) { row_count_[at(group)] = rows; }
  /// Where the constraint rows of a group begin in k and lambda.
  int first_row(int group) const { return first_row_[at(group)]; }
  int constraint_rows() const { return constraint_rows_; }

  struct Result {
    int singular_node = -1;  // one that can move without energy: there is no unique solution
    int doubtful_node = -1;  // one with a row that nearly repeats others: rounding would decide whether it acts
    int repeated = 0;        // constraint rows that follow from the others; their multipliers are zero
  };
  /// Factorizes and solves, with the first substitution while each front is at hand. No solution where a node is
  /// singular or doubtful.
  [[nodiscard]] Result solve(std::span<const double> f, std::span<const double> k, std::span<double> a,
                             std::span<double> lambda);

 private:
  /// Energy rows beyond the number of unknowns that are cheaper to carry than to compress.
  static constexpr int kSpare = 12;

  /// A group of rows as its front reads it.
  struct Piece {
    int group = 0, rows = 0;
    int first_row = -1;               // of constraint rows, in k and lambda
    int nodes = 0;                    // how many
    std::size_t entry = 0;            // place in group_entries_
    std::size_t slots = 0, node = 0;  // places in ints_: where its nodes stand in the front, and which they are
  };
  /// The elimination of one node, and what remains of it for solving.
  struct Factor {
    int node = 0, parent = -1;                    // parent: a front
    int first_piece = 0, pieces = 0;              // of pieces_
    int own_rows = 0;                             // constraint rows of its groups; those of its children follow
    int filled = 0;                               // constraint rows that are known so far
    int rows = 0, rank = 0, kept = 0;             // constraint rows, those that give y, those left to the parent
    int later_count = 0, columns = 0, width = 0;  // later nodes; places of the N-part of a row, and padded
    int energy_rows = 0;                          // left to the parent
    int most_rows = 0, most_energy_rows = 0;
    std::size_t later = 0, numbers = 0;  // places in ints_: later nodes, and the numbers of its own constraint rows
    // places in memory_: Q (6 x 8), L (rows x 6), Y (rank x width), G = E1'[E1 E2 EN] (rank x (8 + width)),
    // R ((6 - rank) x (8 + width)) and the scales of the rows kept
    std::size_t Q = 0, L = 0, Y = 0, G = 0, R = 0, scale = 0;
    std::size_t order = 0;      // place in ints_: the rows, pivots first, then those kept, as numbers in that order
    std::size_t values = 0;     // place in rhs_: right sides of the rows, y0, g1, u
    std::size_t stack = 0;      // where its remainder lies
    std::size_t in_parent = 0;  // first of its rows among the parent's
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t group_size(int group) const {
    return at(groups_[at(group)].rows) * kSize * groups_[at(group)].nodes.size();
  }

  void place_groups();
  void lay_out();
  void find_largest();
  /// Eliminates all nodes, and substitutes the right sides k and those in g_ on the way.
  Result factorize(const double* k);
  /// Collects the rows of a front: its groups', then what its children have left.
  void gather(std::size_t front);
  bool eliminate(std::size_t front, Result& result);
  void split_by_constraints(Factor& f, double* Q);
  void substitute(Factor& f);
  int keep_independent(Factor& f, bool& is_doubtful);
  bool factorize_energy(Factor& f, double* Q);
  void reflect_columns(const Factor& f, int step, int last, int c, double norm);
  void compress(Factor& f, int first);
  void set_right_side(const double* f);
  /// Takes the right sides of a front to the later nodes.
  void forward(std::size_t front, const double* k);
  /// Finds all unknowns and multipliers after forward().
  void substitute_back(double* a, double* lambda);
  void fetch(const Factor& f) const;
  void backward(std::size_t front, double* a, double* lambda);
  void refine(std::span<const double> f, std::span<const double> k, std::span<double> a, std::span<double> lambda);
  /// f - W'W a + B' lambda and k - B a.
  void residual(std::span<const double> f, std::span<const double> k, std::span<const double> a,
                std::span<const double> lambda);

  std::vector<Group> groups_;
  double length_;
  double largest_ = 0.0;  // entry of the energy rows
  EliminationTree tree_;
  std::vector<Piece> pieces_;  // in the order of the fronts
  std::vector<std::size_t> first_entry_;
  LargeVector<double> group_entries_, row_scale_;
  std::vector<int> first_row_, row_count_;
  int constraint_rows_ = 0;

  std::vector<Factor> factors_;
  std::size_t used_ = 0;  // of memory_
  LargeVector<double> memory_, rhs_;
  std::vector<double> stack_, energy_, constraint_, scratch_;
  std::vector<int> ints_;
  std::vector<double*> row_;  // of the constraint rows of the front at work
  std::vector<double> g_, residual_f_, residual_k_, change_a_, change_lambda_;
};

}  // namespace cardan
