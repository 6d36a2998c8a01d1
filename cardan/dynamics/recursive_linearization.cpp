// Derivatives of the equations in joint coordinates: bodies in closed form, forces by their K and D, rows and
// states of elements on dual numbers.
#include "cardan/dynamics/recursive_problem.hpp"

#include <algorithm>

namespace cardan {

ImplicitForces RecursiveProblem::implicit_forces(Implicit implicit) const {
  const ImplicitForces chosen = system_.settings().implicit_forces;
  if (chosen != ImplicitForces::automatic) return chosen;
  return implicit == Implicit::forces ? ImplicitForces::definite : ImplicitForces::exact;
}

void RecursiveProblem::tangent(const Point& at, In<double> a, Implicit implicit, Eigen::MatrixXd& K,
                               Eigen::MatrixXd& D) {
  const int n = model_.nv();
  K.setZero(n, n);
  D.setZero(n, n);
  if (implicit != Implicit::forces) equations_.tangent(at.q, at.v, a, K, D);
  if (implicit == Implicit::bodies) return;
  const ImplicitForces which = implicit == Implicit::exact ? ImplicitForces::exact : implicit_forces(implicit);
  if (system_.forces().empty() || which == ImplicitForces::none) return;
  if (!tangent_) tangent_ = std::make_unique<ForceTangent>(model_, system_.forces());
  tangent_->add(evaluate(at), system_.first_states(), &K, &D,
                which == ImplicitForces::definite ? ForceTangent::Kind::definite : ForceTangent::Kind::exact);
}

void RecursiveProblem::linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) {
  if (!given_.empty()) return linearize_driven(at, want);
  if (want.H) equations_.mass_matrix(at.q, *want.H);
  if (want.f) {
    generalized_forces(at, tau_);
    equations_.bias_force(at.q, at.v, *want.f);
    *want.f += Eigen::Map<const Eigen::VectorXd>(tau_.data(), model_.nv());
  }
  if (want.K || want.D) {
    Eigen::MatrixXd K, D;
    tangent(at, a, want.implicit, K, D);
    if (want.K) *want.K = std::move(K);
    if (want.D) *want.D = std::move(D);
  }
  linearize_rows(at, a, lambda, want);
}

/// Joints whose motion is given do not follow the state: with d the velocities that are driven and f the others,
///   da_d = 0,  da_f = H_ff^-1 (K_ff dq_f + D_ff dv_f),
/// written as H = 1 and f = a.
void RecursiveProblem::linearize_driven(const Point& at, const Want& want) {
  const int n = model_.nv();
  Eigen::VectorXd a(n), z_dot(at.z.size());
  acceleration(at, a, z_dot);  // state_ is where the motions lead
  if (want.H) want.H->setIdentity(n, n);
  if (want.J) want.J->setZero(0, n);
  if (want.velocity) want.velocity->resize(0);
  if (want.f) *want.f = a;
  if (!want.K && !want.D) return;
  Eigen::MatrixXd K, D;
  tangent({at.t, state_.q, state_.v, at.z}, a, want.implicit, K, D);
  if (want.K) *want.K = free_response(K, true);
  if (want.D) *want.D = free_response(D, true);
}

std::vector<int> RecursiveProblem::free_velocities() const {
  std::vector<int> out;
  for (int k = 0; k < model_.nv(); ++k)
    if (given_.empty() || given_[static_cast<std::size_t>(model_.body_of_dof(k))] == Given::force) out.push_back(k);
  return out;
}

/// Solves for the accelerations of joints that are not driven, column by column. Of forces by velocities, columns of
/// driven ones are zero.
Eigen::MatrixXd RecursiveProblem::free_response(const Eigen::MatrixXd& forces, bool of_velocities) {
  const std::vector<int> free = free_velocities();
  Eigen::MatrixXd H;
  equations_.mass_matrix(state_.q, H);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(forces.rows(), forces.cols());
  if (free.empty()) return out;
  const Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd(H(free, free)));
  const Eigen::MatrixXd pushed = of_velocities ? Eigen::MatrixXd(forces(free, free)) : forces(free, Eigen::all);
  const Eigen::MatrixXd answer = factor.solve(pushed);
  if (of_velocities)
    out(free, free) = answer;
  else
    out(free, Eigen::all) = answer;
  return out;
}

Eigen::MatrixXd RecursiveProblem::force_response() {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(model_.nv(), model_.nv());
  return given_.empty() ? one : free_response(one, true);
}

void RecursiveProblem::linearize_states(const Point& at, In<double>, In<double>, StateTangent& out) {
  linearize_states(at, {}, out);
}

void RecursiveProblem::element_tangent(const Point& at, const ElementTangent::Rates& rates, StateTangent& out) {
  if (!element_tangent_) element_tangent_ = std::make_unique<ElementTangent>(model_, system_.forces());
  element_tangent_->compute(evaluate(at), system_.first_states(), rates, out);
}

void RecursiveProblem::linearize_states(const Point& at, const ElementTangent::Rates& rates, StateTangent& out) {
  if (given_.empty()) return element_tangent(at, rates, out);
  lead(at);
  element_tangent({at.t, state_.q, state_.v, at.z}, rates, out);
  for (Eigen::MatrixXd* by : {&out.f_by_z, &out.f_by_u})
    if (by->cols() > 0) *by = free_response(*by, false);
  const std::vector<int> free = free_velocities();
  for (Eigen::MatrixXd* by : {&out.rate_by_q, &out.rate_by_v})
    for (int k = 0; k < model_.nv(); ++k)
      if (!std::binary_search(free.begin(), free.end(), k)) by->col(k).setZero();
}

void RecursiveProblem::linearize_rows(const Point& at, In<double> a, In<double> lambda, const Want& want) {
  const int n = model_.nv(), m = rows();
  if (want.J) want.J->setZero(m, n);
  if (want.velocity) want.velocity->setZero(m);
  if (!constrained_) return;
  ConstraintSet& set = constrained_->constraints();
  if (want.pull_by_q || want.rows_by_q || want.rows_by_v) {
    if (!constraint_tangent_) constraint_tangent_ = std::make_unique<ConstraintTangent>(set);
    constraint_tangent_->compute(set, constrained_->stabilization, at.t, at.q, at.v, a, lambda,
                                 {want.pull_by_q, want.rows_by_q, want.rows_by_v});
  }
  set.evaluate(at.t, at.q, at.v);
  if (want.J) set.matrix(*want.J);
  if (!want.velocity) return;
  Eigen::MatrixXd J(m, n);
  set.matrix(J);
  *want.velocity = J * Eigen::Map<const Eigen::VectorXd>(at.v.data(), n) - set.drift() -
                   constrained_->stabilization.gamma * set.gap();
}

}  // namespace cardan
