// Constraint forces are passed from body to body like all others: A = J H^-1 J' comes from one inward pass over the
// articulated inertias with several rows side by side in the lanes of a register, so nothing grows faster than bodies
// times rows. The mass matrix is never formed.
#pragma once

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/solve/internal/least_norm.hpp"

namespace cardan {

class ArticulatedSolver : public ConstraintSolver {
 public:
  explicit ArticulatedSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  void forward_dynamics(In<double> q, In<double> v, const ConstraintSet& set, In<double> tau, In<double> k,
                        Out<double> a, Out<double> lambda) override;
  int rank() const override { return multipliers_.rank(); }
  void expect_rank(int rank) override { multipliers_.expect_rank(rank); }
  Regularity regularity() const override { return regularity_; }
  double clearance() const override { return multipliers_.clearance(); }

 private:
  using L = Lanes<double>::type;
  static constexpr int width = Lanes<double>::width;

  /// A body on the way from what a row pulls at to the base. Rows are zero for all others.
  struct Step {
    int body;
    bool chained;  // the next step is the parent
    bool gathers;  // gets from children that are not chained to it
  };
  /// One register of columns, each a row of J.
  struct Group {
    std::vector<Step> inward;     // tips to base
    std::vector<int> velocities;  // of these bodies
    L b;                          // sum of u'y over what the joints do when no constraint acts
  };

  void choose_columns(const ConstraintSet& set);
  void find_ways(const ConstraintSet& set);
  void look_at_pivots(const Model& model);
  void place_forces(const ConstraintSet& set);
  void pass_inward(const Model& model, int group);
  void multiply(int group);
  void find_multipliers(const Model& model, In<double> k, Out<double> lambda);
  /// Finds them from u'D^-1 u = W'W by W itself, where A is too close to singular.
  void find_multipliers_by_factor(const Model& model);
  void pass_outward(const Model& model, Out<double> a);
  /// After the passes that know nothing of constraints.
  void constrain(const ConstraintSet& set, In<double> k, Out<double> a, Out<double> lambda);

  /// Six components of all columns for a body that a row pulls at.
  double* force_on(int body) { return on_body_.data() + body_slot_[static_cast<std::size_t>(body)] * 6 * stride_; }
  double* force_on_velocity(int v) {
    return on_velocity_.data() + velocity_slot_[static_cast<std::size_t>(v)] * stride_;
  }
  double* u(int v) { return u_.data() + static_cast<std::ptrdiff_t>(v) * stride_; }
  double* y(int v) { return y_.data() + static_cast<std::ptrdiff_t>(v) * stride_; }

  int rows_, stride_;                                      // columns: a row of J each, then zeros up to whole registers
  std::vector<int> column_;                                // of each row
  std::vector<std::ptrdiff_t> body_slot_, velocity_slot_;  // where a row pulls; -1: none does
  AlignedVector<double> on_body_, on_velocity_;
  AlignedVector<double> u_, y_;  // of each velocity, all columns: u, and D^-1 u
  AlignedVector<double> x_;      // multipliers by columns
  std::vector<double> pulled_;   // D^-1 u lambda of each velocity: what the multipliers do at the joint
  std::vector<Group> groups_;
  std::vector<double> scale_;  // of the pivots
  Regularity regularity_;
  double negligible_;  // entries of A below it are rounding: no joint can move what the constraints hold
  Eigen::MatrixXd A_;  // by columns
  Eigen::VectorXd b_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd w_;
  LeastNormSolver multipliers_;
};

}  // namespace cardan
