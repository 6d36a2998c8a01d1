// A joint of any type that closes a loop (section 8.2). Its own coordinates are found from where the two frames are, so
// nothing about a joint type is repeated here: the joint's S gives the directions that are free, their complement T
// those that are not, and c_J the velocity terms.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/joint_subspace.hpp"

namespace cardan {

class LoopConstraint : public Constraint {
 public:
  /// The model must outlive it.
  LoopConstraint(const Model& model, const LoopJoint& loop);

  std::string name() const override { return "loop \"" + loop_.name + "\""; }
  void prepare(MovingBodies& bodies, ConstraintRows& rows) override;
  void evaluate(double t, const MovingBodies& bodies, const double* q, const double* v, ConstraintRows& rows) override;

  /// The next state is far from the last one: do not take the joint's coordinates from there.
  void reset_warm_start() { given_up_ = false; }

  // --- after evaluate ---

  /// The joint's own coordinates and velocities.
  const std::vector<double>& coordinates() const { return q_; }
  const std::vector<double>& rates() const { return v_; }
  /// How far the successor's frame is from where the joint allows it to be.
  double distance() const { return norm(error_.linear); }
  double angle() const { return norm(error_.angular); }
  /// The force on the successor for these multipliers, along the axes of the loop's frame on it.
  ForceVector<double> force(const double* multipliers) const;
  /// The force on the successor, in those axes, of a drive in the loop joint itself (Eq. 8.28).
  ForceVector<double> drive(const double* joint_forces) const;

  /// Such a force as forces on predecessor and successor, in their own coordinates.
  std::pair<ForceVector<double>, ForceVector<double>> on_both_bodies(const MovingBodies& bodies,
                                                                     const ForceVector<double>& on_successor) const;

  const LoopJoint& loop() const { return loop_; }
  int rows() const { return 6 - directions_; }

 private:
  /// q_ such that what is left of the error cannot be moved by the joint.
  void find_coordinates(const Transform<double>& X);
  /// From where q_ is; gives the length of what is left.
  double improve_coordinates(const Transform<double>& X);

  const LoopJoint& loop_;
  int nv_, directions_;  // velocities, and how many different things they do
  std::vector<double> q_, v_;
  bool given_up_ = false;  // coordinates that close the loop were looked for everywhere and not found
  JointMotion joint_;
  MotionVector<double> error_;  // of the successor against the joint, in its coordinates
  SplitSubspace split_;         // of the joint's S
};

}  // namespace cardan
