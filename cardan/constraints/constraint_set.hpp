// All constraints of a mechanism, stacked.
#pragma once

#include "cardan/constraints/loop_constraint.hpp"

#include <memory>

namespace cardan {

class ConstraintSet {
 public:
  enum class Include { loops_and_couplings, loops, nothing };
  /// With the loops and couplings of the model, which must outlive it.
  explicit ConstraintSet(const Model& model, Include include = Include::loops_and_couplings);
  void add(std::unique_ptr<Constraint> constraint);

  const Model& model() const { return bodies_.model(); }
  int size() const { return static_cast<int>(members_.size()); }
  int rows() const { return rows_; }
  const Constraint& constraint(int i) const { return *member(i).constraint; }
  /// The i-th constraint where it is a loop, else null.
  const LoopConstraint* loop(int i) const { return member(i).loop; }
  int first_row(int i) const { return member(i).first; }

  /// The next state has nothing to do with the last one.
  void reset_warm_start();
  /// At one time and state; everything below speaks of it.
  void evaluate(double t, const double* q, const double* v);

  const ConstraintRows& rows_of(int i) const { return member(i).rows; }
  const MovingBodies& bodies() const { return bodies_; }
  const Eigen::VectorXd& k() const { return k_; }
  const Eigen::VectorXd& gap() const { return gap_; }
  const Eigen::VectorXd& drift() const { return drift_; }

  /// The velocities that the i-th constraint can touch: the columns of its block.
  std::vector<int> velocities(int i) const;
  /// K of the i-th constraint, its rows x velocities(i).
  void block(int i, Eigen::Ref<Eigen::MatrixXd> out) const;
  /// The whole K, rows x nv.
  void matrix(Eigen::Ref<Eigen::MatrixXd> K) const;

  /// tau += what a force on the successor of the i-th constraint, a loop, and its counterpart on the predecessor do at
  /// the joints (Eq. 8.28); the force is in the loop's frame on the successor, as LoopConstraint::drive gives it.
  void add_loop_force(int i, const ForceVector<double>& on_successor, Eigen::Ref<Eigen::VectorXd> tau) const;

  /// Constraints that share a velocity depend on one another; these lists do not (section 8.9).
  std::vector<std::vector<int>> clusters() const;

 private:
  struct Member {
    std::unique_ptr<Constraint> constraint;
    LoopConstraint* loop = nullptr;
    ConstraintRows rows;
    int first = 0;
    int above = 0;  // the body where its pulls cancel: they move only what lies between it and the bodies pulled at
  };
  const Member& member(int i) const { return members_[static_cast<std::size_t>(i)]; }
  /// Calls visit(i, velocity, entry) for all joints from the body up to `above` that feel the i-th force on it.
  template <class Visit>
  void pass_down(int body, int above, std::vector<ForceVector<double>> f, const Visit& visit) const;
  /// Calls visit(row, velocity, entry) for all entries of the block; the same velocity may come up twice.
  template <class Visit>
  void each_entry(const Member& m, const Visit& visit) const;

  MovingBodies bodies_;
  std::vector<Member> members_;
  int rows_ = 0;
  Eigen::VectorXd k_, gap_, drift_;
};

}  // namespace cardan
