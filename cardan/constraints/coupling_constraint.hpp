// A coupling as a row: gap = q_b - f(q_a, ...), J = (1, -df/dq_a, ...), k = sum of d2f/dq_i dq_j v_i v_j.
#pragma once

#include "cardan/constraints/constraint.hpp"

namespace cardan {

class CouplingConstraint final : public Constraint {
 public:
  CouplingConstraint(const Model& model, const Coupling& coupling);

  std::string name() const override { return "coupling \"" + coupling_.text + "\""; }
  Touches touches() const override { return {.velocities = velocities_}; }
  int rows() const override { return 1; }
  std::unique_ptr<ConstraintMemory> make_memory() const override;
  void evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const override;
  void differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                     ConstraintRowsOf<Dual8>& rows) const override;

  std::string beyond_code() const override { return {}; }
  void evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const override;

 private:
  template <class T>
  void set_rows_by_function(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;
  /// `f`: the function's value, gradient and curvature.
  template <class T>
  void set_rows(const InstantOf<T>& at, std::span<const T> f, ConstraintRowsOf<T>& rows) const;

  Coupling coupling_;
  std::vector<int> coordinates_, velocities_;  // the dependent one, then the sources
};

}  // namespace cardan
