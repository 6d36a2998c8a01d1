// Gives a constraint whose rows are one template over the scalar all of its evaluations:
//   class Mine final : public ConstraintRowsBy<Mine> {
//     friend class ConstraintRowsBy<Mine>;
//     template <class T> void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;
//   };
#pragma once

#include "cardan/constraints/constraint.hpp"

namespace cardan {

template <class Self>
class ConstraintRowsBy : public Constraint {
 public:
  void evaluate(const Instant& at, ConstraintMemory*, ConstraintRows& rows) const final { self().set_rows(at, rows); }
  void differentiate(const InstantOf<Dual8>& at, const ConstraintMemory*, ConstraintRowsOf<Dual8>& rows) const final {
    self().set_rows(at, rows);
  }

  std::string beyond_code() const override { return {}; }
  void evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const final {
    if (this->beyond_code().empty())
      self().set_rows(at, rows);
    else
      Constraint::evaluate_symbolic(at, rows);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace cardan
