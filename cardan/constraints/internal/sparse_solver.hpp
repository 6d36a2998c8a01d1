// Every body has its own acceleration and every joint its own force (Eq. 8.64), eliminated body by body (BodyGraph):
// the cost grows with the mechanism and not with the length of its loops. A ladder of many rungs, whose mass matrix is
// full, is solved in linear time; bodies without mass or inertia of their own are no matter as long as the mechanism as
// a whole has some.
#pragma once

#include "cardan/constraints/body_graph.hpp"
#include "cardan/constraints/constraint_solver.hpp"

namespace cardan {

/// Gives no force to rows that repeat others where constraints do: their multipliers are zero. Which ones depends
/// on the state.
class SparseSolver : public ConstraintSolver {
 public:
  explicit SparseSolver(const ConstraintSet& set);
  void forward_dynamics(In<double> q, In<double> v, const ConstraintSet& set, In<double> tau, In<double> k,
                        Out<double> a, Out<double> lambda) override;
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  int rank() const override { return rows_ - graph_.repeated_rows(); }
  std::string why_singular() const override { return graph_.why_singular(); }

 private:
  /// Fills the graph, with right sides of zero.
  void prepare(const ConstraintSet& set);
  /// Solves; false, with a set to NaN, where a body moves without inertia.
  bool solve_graph(Out<double> a);

  Model model_;
  int rows_;
  BodyGraph graph_;
};

}  // namespace cardan
