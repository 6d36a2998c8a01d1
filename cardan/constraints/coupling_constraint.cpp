#include "cardan/constraints/coupling_constraint.hpp"

namespace cardan {

CouplingConstraint::CouplingConstraint(const Model& model, const Coupling& coupling)
    : coupling_(coupling), memory_(coupling.f) {
  const auto add = [&](const Coupling::CoordinateRef& place) {
    coordinates_.push_back(model.link(place.body).q + place.k);
    velocities_.push_back(model.link(place.body).v + place.k);
  };
  add(coupling.dependent);
  for (const Coupling::CoordinateRef& source : coupling.sources) add(source);
}

void CouplingConstraint::prepare(MovingBodies&, ConstraintRows& rows) {
  rows.velocities = velocities_;
  rows.on_velocities.setZero(1, static_cast<Eigen::Index>(velocities_.size()));
  rows.on_velocities(0, 0) = 1.0;
  for (Eigen::VectorXd* v : {&rows.k, &rows.gap, &rows.drift}) v->resize(1);
}

void CouplingConstraint::evaluate(double, const MovingBodies&, const double* q, const double* v, ConstraintRows& rows) {
  for (std::size_t i = 0; i < memory_.x.size(); ++i) {
    memory_.x[i] = q[coordinates_[i + 1]];
    memory_.v[i] = v[velocities_[i + 1]];
  }
  coupling_.f(memory_);
  rows.gap[0] = q[coordinates_[0]] - memory_.f();
  rows.drift[0] = v[velocities_[0]];
  for (std::size_t i = 0; i < memory_.x.size(); ++i) {
    const double slope = memory_.gradient(static_cast<int>(i));
    rows.on_velocities(0, static_cast<Eigen::Index>(i) + 1) = -slope;
    rows.drift[0] -= slope * memory_.v[i];
  }
  rows.k[0] = memory_.curvature();
}

}  // namespace cardan
