// A joint of any type that closes a loop (section 8.2). Its own coordinates are found from where the two frames are
// (loop_motion.hpp), so nothing about a joint type is repeated here: the joint's S gives the directions that are free,
// their complement T those that are not, and c_J the velocity terms. With X_P, X_S the transforms from the world to the
// loop's frames on predecessor and successor and X_J(q) that of the joint,
//   gap = T' log(X_S X_P^-1 X_J^-1),  drift = T' (v_S - X_J v_P),  k = T' (c_J + v_S x S q_dot - (a_S - X_J a_P)).
// Velocities of the predecessor are taken where the joint says that the successor should be: while the loop is open by
// a gap, it is the two points that are meant to meet whose velocities are compared.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/loop_motion.hpp"

namespace cardan {

/// A loop at one instant, which is also the warm start of the next evaluation.
class LoopState final : public ConstraintMemory, public LoopMotion {
 public:
  using LoopMotion::LoopMotion;
  void reset_warm_start() override { forget(); }

  /// How far the successor's frame is from where the joint allows it to be.
  double distance() const { return norm(error().linear); }
  double angle() const { return norm(error().angular); }
  /// The force on the successor for these multipliers, along the axes of the loop's frame on it.
  ForceVector<double> force(const double* multipliers) const;

 private:
  friend class LoopConstraint;
  void evaluate(const Instant& at, ConstraintRows& rows);
  void differentiate(const InstantOf<Dual8>& at, ConstraintRowsOf<Dual8>& rows) const;
  void evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const;
  template <class T>
  void set_rows(const InstantOf<T>& at, const LoopMotion::Of<T>& motion, ConstraintRowsOf<T>& rows) const;
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
  std::string beyond_code() const override;
  void evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const override;

 private:
  LoopJoint loop_;
  int freedoms_;
  double length_;
};

}  // namespace cardan
