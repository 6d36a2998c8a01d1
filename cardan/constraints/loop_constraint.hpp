// A joint of any type that closes a loop (section 8.2). Its own coordinates are found from where the two frames are, so
// nothing about a joint type is repeated here: the joint's S gives the directions that are free, their complement T
// those that are not, and c_J the velocity terms. With X_P, X_S the transforms from the world to the loop's frames on
// predecessor and successor and X_J(q) that of the joint,
//   gap = T' log(X_S X_P^-1 X_J^-1),  drift = T' (v_S - X_J v_P),  k = T' (c_J + v_S x S q_dot - (a_S - X_J a_P)).
// Velocities of the predecessor are taken where the joint says that the successor should be: while the loop is open by
// a gap, it is the two points that are meant to meet whose velocities are compared.
//
// The coordinates satisfy S^+ log(X_S X_P^-1 X_J(q)^-1) = 0 (S^+ the pseudo-inverse), so that near a closed loop
//   dq = S^+ d log(...),  d q_dot = S^+ (d v_rel - dS q_dot),  dT = -S^+' (dS' T),
// the last of which keeps T' S = 0.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/joint_subspace.hpp"

namespace cardan {

/// A loop at one instant: its joint's coordinates, which are also the warm start of the next evaluation.
class LoopState final : public ConstraintMemory {
 public:
  LoopState(const LoopJoint& loop, int freedoms, double length);
  void reset_warm_start() override { given_up_ = false; }

  const LoopJoint& loop() const { return loop_; }
  int rows() const { return 6 - freedoms_; }
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
  std::pair<ForceVector<double>, ForceVector<double>> on_both_bodies(const ForceVector<double>& on_successor) const;

 private:
  friend class LoopConstraint;
  void evaluate(const Instant& at, ConstraintRows& rows);
  void differentiate(const InstantOf<Dual8>& at, ConstraintRowsOf<Dual8>& rows) const;

  /// The joint, its rates and the error on any scalar.
  template <class T>
  struct Motion {
    JointMotionOf<T> joint;
    MotionVector<T> error;
    T rates[6];
    ForceVector<T> across[6];  // columns of T
  };
  /// The transform from the predecessor's frame of the loop to the successor's.
  template <class T>
  Transform<T> between(const InstantOf<T>& at) const;
  /// The velocity of the successor against the predecessor, where the joint's transform is X_J.
  template <class T>
  MotionVector<T> relative_velocity(const InstantOf<T>& at, const Transform<T>& X_J) const;
  template <class T>
  void set_rows(const InstantOf<T>& at, const Motion<T>& motion, ConstraintRowsOf<T>& rows) const;
  /// Finds q_ such that what is left of the error cannot be moved by the joint.
  void find_coordinates(const Transform<double>& X);
  /// Newton's method from where q_ is; returns the length of what is left.
  double improve_coordinates(const Transform<double>& X);

  LoopJoint loop_;
  int nv_, freedoms_;  // velocities, and how many different things they do
  double length_;
  std::vector<double> q_, v_;
  bool given_up_ = false;  // coordinates that close the loop were searched for everywhere and not found
  JointMotion joint_;
  MotionVector<double> error_;  // of the successor against the joint, in its coordinates
  SplitSubspace split_;         // of the joint's S
};

class LoopConstraint final : public Constraint {
 public:
  /// Rows measure angles as lengths of this radius, so that multipliers are forces and the least of them, where loops
  /// repeat one another, depends on no unit (model/internal/characteristic_length.hpp).
  LoopConstraint(const LoopJoint& loop, double length);

  std::string name() const override { return "loop \"" + loop_.name + "\""; }
  Touches touches() const override;
  int rows() const override { return 6 - freedoms_; }
  std::unique_ptr<ConstraintMemory> make_memory() const override;
  void evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const override;
  void differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                     ConstraintRowsOf<Dual8>& rows) const override;

 private:
  LoopJoint loop_;
  int freedoms_;
  double length_;
};

}  // namespace cardan
