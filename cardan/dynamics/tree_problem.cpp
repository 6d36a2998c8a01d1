#include "cardan/dynamics/tree_problem.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/dynamics/internal/tangent_differences.hpp"

#include <utility>

namespace cardan {

TreeProblem::TreeProblem(const Model& model, JointForces forces)
    : equations_(model), space_(model), tau_(Eigen::VectorXd::Zero(model.nv())), forces_(std::move(forces)) {}

void TreeProblem::acceleration(const Point& at, Out<double> a, Out<double>) {
  if (forces_) forces_(at.t, at.q, at.v, tau_);
  forward_dynamics(model(), equations_.workspace(), at.q, at.v, tau_, a);
}

void TreeProblem::generalized_forces(const Point& at, Out<double> tau) {
  for (int i = 0; i < tau.size(); ++i) tau[i] = 0.0;
  if (forces_) forces_(at.t, at.q, at.v, tau);
}

void TreeProblem::residual(const Point& at, In<double> a, In<double>, Out<double> r, Out<double>) {
  if (forces_) forces_(at.t, at.q, at.v, tau_);
  equations_.balance(at.q, at.v, a, r);
  for (int i = 0; i < r.size(); ++i) r[i] -= tau_[i];
}

void TreeProblem::linearize(const Point& at, In<double> a, In<double>, const Want& want) {
  const int n = model().nv();
  if (want.H) equations_.mass_matrix(at.q, *want.H);
  if (want.J) want.J->setZero(0, n);
  if (want.velocity) want.velocity->resize(0);
  if (want.f) {
    if (forces_) forces_(at.t, at.q, at.v, tau_);
    equations_.bias_force(at.q, at.v, *want.f);
    *want.f += tau_;
  }
  if (!want.K && !want.D) return;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), D = K;
  if (want.implicit == Implicit::all) equations_.tangent(at.q, at.v, a, K, D);
  if (forces_)
    add_tangent_differences(
        space_, [&](In<double> q, In<double> v, Out<double> tau) { forces_(at.t, q, v, tau); }, at.q, at.v, n, &K, &D);
  if (want.K) *want.K = K;
  if (want.D) *want.D = D;
}

}  // namespace cardan
