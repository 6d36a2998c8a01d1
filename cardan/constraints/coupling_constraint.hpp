// A coupling as a row: q_b - f(q_a, ...) = 0.
#pragma once

#include "cardan/constraints/constraint.hpp"

namespace cardan {

class CouplingConstraint : public Constraint {
 public:
  /// The coupling must outlive it.
  CouplingConstraint(const Model& model, const Coupling& coupling);

  std::string name() const override { return "coupling \"" + coupling_.text + "\""; }
  void prepare(MovingBodies& bodies, ConstraintRows& rows) override;
  void evaluate(double t, const MovingBodies& bodies, const double* q, const double* v, ConstraintRows& rows) override;

 private:
  const Coupling& coupling_;
  std::vector<int> coordinates_, velocities_;  // the dependent one, then the sources
  CouplingFunction::Memory memory_;
};

}  // namespace cardan
