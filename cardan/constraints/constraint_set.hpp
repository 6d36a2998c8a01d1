// All constraints of a mechanism, stacked.
#pragma once

#include "cardan/constraints/loop_constraint.hpp"

#include <memory>

namespace cardan {

class ConstraintSet {
 public:
  enum class Include { loops_and_couplings, loops, nothing };
  /// With the loops and couplings of the model.
  explicit ConstraintSet(const Model& model, Include include = Include::loops_and_couplings);
  void add(std::shared_ptr<const Constraint> constraint);

  const Model& model() const { return kinematics_.model(); }
  int size() const { return static_cast<int>(members_.size()); }
  int rows() const { return rows_; }
  const Constraint& constraint(int i) const { return *member(i).constraint; }
  /// The i-th constraint's state where it is a loop, else null.
  const LoopState* loop(int i) const { return dynamic_cast<const LoopState*>(member(i).memory.get()); }
  int first_row(int i) const { return member(i).first; }
  /// Returns what the i-th constraint found at the last evaluation; null where it remembers nothing.
  const ConstraintMemory* memory(int i) const { return member(i).memory.get(); }

  /// Call before evaluating a state far from the previous one; loop joints then search for their coordinates from
  /// scratch.
  void reset_warm_start();
  /// Evaluates all rows at one time and state; everything below speaks of it.
  void evaluate(double t, In<double> q, In<double> v);
  /// Evaluates at an instant that was computed elsewhere; bodies() is not of it.
  void evaluate(const Instant& at);
  void evaluate(double t, const double* q, const double* v) {
    evaluate(t, In<double>(q, model().nq()), In<double>(v, model().nv()));
  }

  const ConstraintRows& rows_of(int i) const { return member(i).rows; }
  /// The bodies at that state.
  const Kinematics<double>& bodies() const { return kinematics_.kinematics(); }
  const Eigen::VectorXd& k() const { return k_; }
  const Eigen::VectorXd& gap() const { return gap_; }
  const Eigen::VectorXd& drift() const { return drift_; }

  /// The velocities that the i-th constraint can touch: the columns of its block.
  std::vector<int> velocities(int i) const;
  /// J of the i-th constraint, its rows x velocities(i).
  void block(int i, Eigen::Ref<Eigen::MatrixXd> out) const;
  /// The whole Jacobian J, rows x nv.
  void matrix(Eigen::Ref<Eigen::MatrixXd> J) const;

  /// tau += what a force on the successor of the i-th constraint, a loop, and its counterpart on the predecessor do at
  /// the joints (Eq. 8.28); the force is in the loop's frame on the successor, as LoopState::drive gives it.
  void add_loop_force(int i, const ForceVector<double>& on_successor, Eigen::Ref<Eigen::VectorXd> tau) const;

  /// Constraints that share a velocity depend on one another; these lists do not (section 8.9).
  std::vector<std::vector<int>> clusters() const;

 private:
  struct Member {
    std::shared_ptr<const Constraint> constraint;
    std::unique_ptr<ConstraintMemory> memory;
    ConstraintRows rows;
    int first = 0;
    /// The common ancestor of the bodies where only their relative motion matters: the generalized force of the
    /// constraint is zero at and above it.
    int above = 0;
  };
  const Member& member(int i) const { return members_[static_cast<std::size_t>(i)]; }
  /// Calls visit(i, velocity, entry) for all joints from the body up to `above` that feel the i-th force on it.
  template <class Visit>
  void pass_down(int body, int above, std::vector<ForceVector<double>> f, const Visit& visit) const;
  /// Calls visit(row, velocity, entry) for all entries of the block; the same velocity may come up twice.
  template <class Visit>
  void each_entry(const Member& m, const Visit& visit) const;

  StateKinematics kinematics_;
  std::vector<Member> members_;
  int rows_ = 0;
  Eigen::VectorXd k_, gap_, drift_;
};

}  // namespace cardan
