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
  for (std::size_t i = 0; i < f.x.size(); ++i) {
    f.x[i] = at.q[coordinates_[i + 1]];
    f.v[i] = at.v[velocities_[i + 1]];
  }
  coupling_.f(f);
  rows.gap[0] = at.q[coordinates_[0]] - f.f();
  rows.drift[0] = at.v[velocities_[0]];
  rows.on_velocities(0, 0) = 1.0;
  for (std::size_t i = 0; i < f.x.size(); ++i) {
    const double slope = f.gradient(static_cast<int>(i));
    rows.on_velocities(0, static_cast<Eigen::Index>(i) + 1) = -slope;
    rows.drift[0] -= slope * f.v[i];
  }
  rows.k[0] = f.curvature();
}

}  // namespace cardan
