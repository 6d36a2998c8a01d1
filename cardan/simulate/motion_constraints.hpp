// Prescribed motions as constraints, for mechanisms that have others as well and for bodies.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/simulate/loads.hpp"

namespace cardan {

/// q of a joint follows time, or its acceleration does.
class JointMotionConstraint : public Constraint {
 public:
  /// The motion must outlive it.
  JointMotionConstraint(const Model& model, PrescribedMotion& motion) : model_(model), motion_(motion) {}
  std::string name() const override { return "motion of joint \"" + model_.joint_name(motion_.body) + "\""; }
  void prepare(MovingBodies& bodies, ConstraintRows& rows) override;
  void evaluate(double t, const MovingBodies& bodies, const double* q, const double* v, ConstraintRows& rows) override;

 private:
  const Model& model_;
  PrescribedMotion& motion_;
};

/// A point of a body, or its orientation, follows time in the world.
class BodyMotionConstraint : public Constraint {
 public:
  BodyMotionConstraint(const Model& model, PrescribedBodyMotion& motion) : model_(model), motion_(motion) {}
  std::string name() const override { return "motion of body \"" + model_.frame(motion_.frame).name + "\""; }
  void prepare(MovingBodies& bodies, ConstraintRows& rows) override;
  void evaluate(double t, const MovingBodies& bodies, const double* q, const double* v, ConstraintRows& rows) override;

 private:
  void hold_point(double t, const MovingBodies& bodies, ConstraintRows& rows);
  void hold_orientation(double t, const MovingBodies& bodies, ConstraintRows& rows);

  const Model& model_;
  PrescribedBodyMotion& motion_;
};

}  // namespace cardan
