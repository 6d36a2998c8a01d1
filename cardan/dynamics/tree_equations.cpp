#include "cardan/dynamics/tree_equations.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"

namespace cardan {

TreeEquations::TreeEquations(const Model& model) : model_(model), workspace_(model) {}
TreeEquations::~TreeEquations() = default;
TreeEquations::TreeEquations(TreeEquations&&) noexcept = default;
TreeEquations& TreeEquations::operator=(TreeEquations&&) noexcept = default;

void TreeEquations::balance(In<double> q, In<double> v, In<double> a, Out<double> out) {
  inverse_dynamics(model_, workspace_, q, v, a, out);
}

void TreeEquations::mass_matrix(In<double> q, Eigen::MatrixXd& H) {
  H.resize(model_.nv(), model_.nv());
  cardan::mass_matrix(model_, workspace_, q, H);
}

void TreeEquations::bias_force(In<double> q, In<double> v, Eigen::VectorXd& f) {
  f.resize(model_.nv());
  bias(model_, workspace_, q, v, f);
  f = -f;
}

void TreeEquations::tangent(In<double> q, In<double> v, In<double> a, Eigen::MatrixXd& K, Eigen::MatrixXd& D) {
  if (!derivatives_) derivatives_ = std::make_unique<DerivativeWorkspace<double>>(model_);
  const int n = model_.nv();
  K.resize(n, n);
  D.resize(n, n);
  inverse_dynamics_derivatives<double>(model_, *derivatives_, q, v, a, K, D);
  K = -K;
  D = -D;
}

int TreeEquations::singular_velocity(In<double> q) { return cardan::singular_velocity(model_, workspace_, q); }

}  // namespace cardan
