#include "cardan/constraints/coupling_constraint.hpp"

namespace cardan {

namespace {

struct CouplingMemory final : ConstraintMemory {
  explicit CouplingMemory(const CouplingFunction& f) : function(f) {}
  CouplingFunction::Memory function;
};

}  // namespace

CouplingConstraint::CouplingConstraint(const Model& model, const Coupling& coupling) : coupling_(coupling) {
  const auto add = [&](const Coupling::CoordinateRef& coordinate) {
    coordinates_.push_back(model.link(coordinate.body).q + coordinate.k);
    velocities_.push_back(model.link(coordinate.body).v + coordinate.k);
  };
  add(coupling.dependent);
  for (const Coupling::CoordinateRef& source : coupling.sources) add(source);
}

std::unique_ptr<ConstraintMemory> CouplingConstraint::make_memory() const {
  return std::make_unique<CouplingMemory>(coupling_.f);
}

void CouplingConstraint::evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const {
  CouplingFunction::Memory& f = static_cast<CouplingMemory*>(memory)->function;
  const std::size_t n = coupling_.sources.size();
  for (std::size_t i = 0; i < n; ++i) {
    f.x[i] = at.q[coordinates_[i + 1]];
    f.v[i] = at.v[velocities_[i + 1]];
  }
  coupling_.f(f);
  set_rows(at, f.values(), rows);
}

void CouplingConstraint::differentiate(const InstantOf<Dual8>& at, const ConstraintMemory*,
                                       ConstraintRowsOf<Dual8>& rows) const {
  set_rows_by_function(at, rows);
}

void CouplingConstraint::evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const {
  set_rows_by_function(at, rows);
}

template <class T>
void CouplingConstraint::set_rows_by_function(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  const std::size_t n = coupling_.sources.size();
  std::vector<T> in(2 * n), out(n + 2);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = at.q[coordinates_[i + 1]];
    in[n + i] = at.v[velocities_[i + 1]];
  }
  coupling_.f.evaluate(in.data(), out.data());
  set_rows(at, std::span<const T>(out), rows);
}

template <class T>
void CouplingConstraint::set_rows(const InstantOf<T>& at, std::span<const T> f, ConstraintRowsOf<T>& rows) const {
  rows.gap[0] = at.q[coordinates_[0]] - f.front();
  rows.drift[0] = at.v[velocities_[0]];
  rows.on_velocities(0, 0) = T(1.0);
  for (std::size_t i = 0; i < coupling_.sources.size(); ++i) {
    const T& slope = f[i + 1];
    rows.on_velocities(0, static_cast<Eigen::Index>(i) + 1) = -slope;
    rows.drift[0] -= slope * at.v[velocities_[i + 1]];
  }
  rows.k[0] = f.back();
}

}  // namespace cardan
