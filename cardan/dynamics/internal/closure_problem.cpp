#include "cardan/dynamics/internal/closure_problem.hpp"

#include <algorithm>

namespace cardan {

void FlatSpace::move(const double* q, const double* x, double* out) const {
  for (int i = 0; i < n_; ++i) out[i] = q[i] + x[i];
}
void FlatSpace::difference(const double* q0, const double* q1, double* x) const {
  for (int i = 0; i < n_; ++i) x[i] = q1[i] - q0[i];
}
void FlatSpace::increment_rate(const double*, const double* v, double* rate) const {
  if (rate != v) std::copy_n(v, n_, rate);
}
void FlatSpace::increment_velocity(const double*, const double* rate, double* v) const {
  if (v != rate) std::copy_n(rate, n_, v);
}
void FlatSpace::coordinate_rate(const double*, const double* v, double* rate) const {
  if (rate != v) std::copy_n(v, n_, rate);
}

ClosureProblem::ClosureProblem(ReducedCoordinates coordinates, JointForces forces)
    : coordinates_(std::move(coordinates)),
      space_(coordinates_.size()),
      forces_(std::move(forces)),
      tau_(Eigen::VectorXd::Zero(coordinates_.model().nv())) {}

void ClosureProblem::acceleration(const Point& at, Out<double> a, Out<double>) {
  const auto n = static_cast<std::size_t>(at.q.size());
  coordinates_.evaluate(std::span(at.q.data(), n), std::span(at.v.data(), n));
  if (forces_) forces_(at.t, coordinates_.q(), coordinates_.v(), tau_);
  Eigen::Map<Eigen::VectorXd>(a.data(), a.size()) = coordinates_.forward_dynamics(tau_);
}

State ClosureProblem::model_state(const State& state) {
  coordinates_.evaluate(state.q, state.v);
  State out(coordinates_.model());
  out.q = coordinates_.q();
  out.v = coordinates_.v();
  return out;
}

}  // namespace cardan
