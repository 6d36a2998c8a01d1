// H a = f + J' lambda with J a = k: the equation of a mechanism with constraints (section 8.1), solved in five ways.
// All find the same accelerations. Where constraints repeat one another the multipliers are not unique; those of least
// norm are found (by the sparse method: least together with the forces in all joints).
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/constraints/constraint_set.hpp"
#include "cardan/model/workspace.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <memory>

namespace cardan {

enum class ConstraintMethod {
  automatic,
  direct,       // the whole system at once, dense
  dual,         // A = J H^-1 J' by the sparse factor of H (method 2 of section 8.5)
  elimination,  // independent accelerations, a = G y + g, cluster by cluster (method 3)
  articulated,  // A by articulated-body passes, O(n) beside a small dense matrix (Sueda, Eqs. 2.122 to 2.124)
  sparse,       // every body's own acceleration and every joint's force, sparse (section 8.13)
};
const std::vector<std::string>& constraint_method_names();
/// Throws std::invalid_argument on an unknown name.
ConstraintMethod constraint_method(const std::string& name);

class ConstraintSolver {
 public:
  explicit ConstraintSolver(const Model& model) : workspace_(model), force_(model.nv()) {}
  virtual ~ConstraintSolver() = default;
  /// Accelerations under the drives tau, velocities and gravity. The set must have been evaluated at this q and v.
  virtual void forward_dynamics(In<double> q, In<double> v, const ConstraintSet& set, In<double> tau, In<double> k,
                                Out<double> a, Out<double> lambda);
  /// The set must have been evaluated at this q. f is the force on the joints, all of it: tau - C.
  virtual void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                     Out<double> lambda) = 0;
  /// How many rows were independent the last time.
  virtual int rank() const = 0;
  /// Names a body that could move without inertia though the constraints held, or at which rounding would have decided
  /// which constraints act, the last time; accelerations are not numbers then. Only the sparse method finds out.
  virtual std::string why_singular() const { return {}; }
  /// How far the tree's own mass matrix was from singular the last time, where the method inverts it: the smallest
  /// pivot as a part of the inertia of the bodies next to it, and the velocity. Rounding is that many times as large.
  struct Regularity {
    double pivot = 1.0;
    int velocity = -1;
  };
  virtual Regularity regularity() const { return {}; }
  /// How far the independent rows were from repeating one another the last time, where the method knows: the smallest
  /// singular value, of the largest.
  virtual double clearance() const { return 1.0; }
  /// Says how many rows are independent where the constraints hold. Between the stages of a step they hold only nearly,
  /// and rows that repeat one another seem to differ a little; the articulated method then keeps the largest so many.
  virtual void expect_rank(int) {}

 protected:
  Workspace<double> workspace_;

 private:
  Eigen::VectorXd force_;  // tau - C
};

/// `automatic` chooses by size. The set gives only the shape of the problem.
std::unique_ptr<ConstraintSolver> make_constraint_solver(ConstraintMethod method, const ConstraintSet& set);

}  // namespace cardan
