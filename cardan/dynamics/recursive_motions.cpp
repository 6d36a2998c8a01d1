// Prescribed motions of joints in joint coordinates: following them, what they take, and their jumps.
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "cardan/dynamics/internal/led_motions.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

#include <algorithm>

namespace cardan {

void RecursiveProblem::follow(double t, State& state) {
  if (constrained_) {
    (void)project(t, state);  // an output between two steps that were both closed
    return;
  }
  for (const PrescribedMotion& m : system_.driven_joints()) {
    using Kind = PrescribedMotion::Kind;
    const PrescribedMotion::Values wanted = m.at(t);
    const Link& link = model_.link(m.body);
    if (m.kind == Kind::position) std::copy_n(wanted.q, link.nq, state.q.begin() + link.q);
    if (m.kind != Kind::acceleration) std::copy_n(wanted.v, link.nv, state.v.begin() + link.v);
  }
}

void RecursiveProblem::driven_accelerations(double t, Out<double> a) const {
  std::fill_n(a.data(), a.size(), 0.0);
  for (const PrescribedMotion& m : system_.driven_joints()) {
    const PrescribedMotion::Values wanted = m.at(t);
    const Link& link = model_.link(m.body);
    std::copy_n(wanted.a, link.nv, a.data() + link.v);
  }
}

void RecursiveProblem::motion_multipliers(Out<double> tau) const {
  const ConstraintSet& set = constrained_->constraints();
  for (int i = 0; i < set.size(); ++i) {
    if (dynamic_cast<const JointMotionConstraint*>(&set.constraint(i)) == nullptr) continue;
    const auto& velocities = set.rows_of(i).velocities;
    for (std::size_t k = 0; k < velocities.size(); ++k)
      tau[velocities[k]] = constrained_->multipliers()[set.first_row(i) + static_cast<int>(k)];
  }
}

void RecursiveProblem::driving_forces(const Point& at, Out<double> tau) {
  Eigen::VectorXd a(model_.nv()), z_dot(system_.element_states());
  acceleration_and_multipliers(at, a, z_dot);
  std::fill_n(tau.data(), tau.size(), 0.0);
  if (constrained_) return motion_multipliers(tau);
  if (given_.empty()) return;
  const std::vector<double> all = tau_;
  generalized_forces({at.t, state_.q, state_.v, at.z}, tau_);
  for (const PrescribedMotion& m : system_.driven_joints())
    for (int i = model_.link(m.body).v; i < model_.link(m.body).v + model_.link(m.body).nv; ++i)
      tau[i] = all[static_cast<std::size_t>(i)] - tau_[static_cast<std::size_t>(i)];
}

void RecursiveProblem::jump(double t, State& state) {
  if (constrained_) {
    constrained_->constraints().evaluate(t, state.q, state.v);
    require_no_gap(t, constrained_->constraints());
    constrained_->project_velocities(t, state.q, state.v);
    return;
  }
  if (given_.empty()) return;
  const State before = state;
  follow(t, state);
  for (const PrescribedMotion& m : system_.driven_joints()) {
    const Link& link = model_.link(m.body);
    double gap[6] = {};
    model_.joint(m.body).difference(before.q.data() + link.q, state.q.data() + link.q, gap);
    require_no_gap(t, "motion of joint \"" + model_.joint_name(m.body) + "\"", std::span(gap, 6));
  }
  // the joints that are free move as the impulse has them: H dv = 0 there, linear in the given dv
  Eigen::VectorXd dv = Eigen::VectorXd::Zero(model_.nv()), at_rest = dv;
  const Eigen::VectorXd zero = dv;
  for (int i = 0; i < model_.nv(); ++i)
    dv[i] = state.v[static_cast<std::size_t>(i)] - before.v[static_cast<std::size_t>(i)];
  for (Eigen::VectorXd* a : {&dv, &at_rest}) {
    std::fill(tau_.begin(), tau_.end(), 0.0);
    hybrid_dynamics<double>(model_, equations_.workspace(), given_, before.q, zero, *a, tau_);
  }
  for (int i = 0; i < model_.nv(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (given_[static_cast<std::size_t>(model_.body_of_dof(i))] == Given::force)
      state.v[k] = before.v[k] + dv[i] - at_rest[i];
  }
}

}  // namespace cardan
