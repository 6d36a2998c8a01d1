#include "cardan/constraints/constraint.hpp"

#include <stdexcept>

namespace cardan {

void Constraint::differentiate(const InstantOf<Dual8>&, const ConstraintMemory*, ConstraintRowsOf<Dual8>&) const {
  throw std::logic_error(name() + ": its rows are written for numbers alone and have no derivatives");
}

void Constraint::evaluate_symbolic(const SymbolicInstant&, ConstraintRowsOf<Expr>&) const {
  throw std::logic_error(name() + ": cannot be recorded, " + beyond_code());
}

}  // namespace cardan
