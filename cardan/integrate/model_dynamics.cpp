#include "cardan/integrate/model_dynamics.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/integrate/tangent_differences.hpp"

#include <utility>

namespace cardan {

ModelDynamics::ModelDynamics(const Model& model, JointForces forces)
    : model_(model), workspace_(model), tau_(static_cast<std::size_t>(model.nv())), forces_(std::move(forces)) {}

void ModelDynamics::acceleration(double t, In<double> q, In<double> v, Out<double> a) {
  if (forces_) forces_(t, q, v, tau_);
  forward_dynamics(model_, workspace_, q, v, tau_, a);
}

void ModelDynamics::linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f,
                              OutMatrix<double> K, OutMatrix<double> D) {
  const int n = model_.nv();
  if (!derivatives_) derivatives_ = std::make_unique<ForceDerivatives>(model_);
  acceleration(t, q, v, f);  // f holds the acceleration for a moment
  derivatives_->compute(q, v, f, K, D);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      K(i, j) = -K(i, j);
      D(i, j) = -D(i, j);
    }
  bias(model_, workspace_, q, v, f);
  for (int i = 0; i < n; ++i) f[i] = tau_[static_cast<std::size_t>(i)] - f[i];
  if (forces_)
    add_tangent_differences(
        model_, [&](In<double> at_q, In<double> at_v, Out<double> tau) { forces_(t, at_q, at_v, tau); }, q, v, K, D);
  mass_matrix(model_, workspace_, q, M);
}

}  // namespace cardan
