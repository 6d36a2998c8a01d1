// Derivatives of dynamics, linearizations, and the forces of drives in mechanisms with loops.
#include "apps/evaluator.hpp"
#include "apps/json_numbers.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/constraint_tangent.hpp"
#include "cardan/constraints/loop_inverse_dynamics.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cardan::command {

namespace {

std::string names_json(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() == 1 ? "" : ", ") + json_text(name);
  return out + "]";
}

}  // namespace

Linearization Evaluator::linearized(Acting acting) {
  if (modes_)
    throw std::runtime_error(where_ +
                             ": expected a scene without contact for derivatives of accelerations, found one "
                             "with it");
  const Point at(state_->t, elements_);
  const bool forces = acting == Acting::forces;
  std::vector<double> tau(out_.size());
  if (forces) forces_.generalized_forces(at, tau);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += state_->tau[i];
  accelerate_under(tau);
  const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(out_.data(), model_.nv());
  if (!a.allFinite()) {
    const std::string why = singular();
    throw std::runtime_error(where_ + ": " + (why.empty() ? std::string("the mass matrix is singular") : why));
  }
  LinearEquations out;
  mass_matrix<double>(model_, w_, state_->q, H_);
  out.H = H_;
  forces_.tangent(at, a, forces ? Problem::Implicit::exact : Problem::Implicit::bodies, out.K, out.D);
  if (forces)
    forces_.element_tangent(at, {}, out.states);
  else
    out.states.f_by_z = out.states.f_by_u = Eigen::MatrixXd(model_.nv(), 0);
  ConstraintSet& set = constrained_.constraints();
  out.J.setZero(set.rows(), model_.nv());
  out.rows_by_q = out.rows_by_v = out.J;
  if (is_constrained()) {
    Eigen::MatrixXd pull;
    ConstraintTangent(set).compute(set, constrained_.stabilization, at.t, at.q, at.v, a, constrained_.multipliers(),
                                   {&pull, &out.rows_by_q, &out.rows_by_v});
    out.K += pull;
    set.matrix(out.J);
  }
  return solve_linear(model_, elements_.v, a, std::move(out));
}

/// Writes derivatives of the tree's joint forces, by configurations in their tangent space.
std::string Evaluator::inverse_dynamics_derivatives() {
  Eigen::MatrixXd K, D;
  forces_.tangent({state_->t, elements_}, state_->a, forces_act_ ? Problem::Implicit::exact : Problem::Implicit::bodies,
                  K, D);
  mass_matrix<double>(model_, w_, state_->q, H_);
  return fmt::format(R"({{"dq": {}, "dv": {}, "da": {}}})", json(Eigen::MatrixXd(-K)), json(Eigen::MatrixXd(-D)),
                     json(H_));
}

std::string Evaluator::forward_dynamics_derivatives() {
  const Linearization found = linearized(forces_act_ ? Acting::forces : Acting::bodies);
  return fmt::format(R"({{"dq": {}, "dv": {}, "dtau": {}}})", json(found.a_by_q), json(found.a_by_v),
                     json(found.a_by_tau));
}

/// Writes dx/dt = A x + B u of x = (tangent of q, v, z), with all forces.
std::string Evaluator::linearization() {
  if (System(scene_).is_stepped())
    throw std::runtime_error(where_ +
                             ": linearization: expected a scene without contact and dry friction, found one "
                             "in which they act: such motions have no linearization");
  const Linearization found = linearized(Acting::forces);
  std::vector<std::string> inputs;
  for (const Input& input : scene_.inputs) inputs.push_back(input.name);
  return fmt::format(R"({{"A": {}, "B": {}, "states": {}, "inputs": {}}})", json(found.A()), json(found.B()),
                     names_json(state_names(forces_.system())), names_json(inputs));
}

void Evaluator::require_allowed() {
  constexpr double kAllowed = 1e-8;  // of the largest acceleration
  const Eigen::Map<const Eigen::VectorXd> a(state_->a.data(), model_.nv());
  ConstraintSet& set = constrained_.constraints();
  Eigen::MatrixXd J(set.rows(), model_.nv());
  set.matrix(J);
  const Eigen::VectorXd left = J * a - set.k();
  const double scale = std::max(
      {1e-300, a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0.0, set.rows() > 0 ? set.k().cwiseAbs().maxCoeff() : 0.0});
  for (int i = 0; i < set.size(); ++i) {
    const double error = left.segment(set.first_row(i), set.rows_of(i).size()).norm();
    if (!(error <= kAllowed * scale))
      throw std::runtime_error(
          fmt::format("{}: drive_forces: \"a\": expected accelerations that obey {}, found {:.6g} "
                      "m/s^2 or rad/s^2 against it",
                      where_, set.constraint(i).name(), error));
  }
}

/// Writes the forces at the drives alone that give the accelerations of the state.
std::string Evaluator::drive_forces() {
  constexpr double kReached = 1e-9;  // of the forces that are needed
  const auto& [t, q, v, a, tau, wrench, u] = *state_;
  ConstraintSet& set = constrained_.constraints();
  set.evaluate(t, q, v);
  require_allowed();
  std::vector<int> driven;
  for (const int body : drives_)
    for (int k = 0; k < model_.link(body).nv; ++k) driven.push_back(model_.link(body).v + k);
  std::vector<double> others = applied_;
  for (std::size_t i = 0; i < others.size(); ++i) others[i] += tau[i];
  const DriveForces found = loop_inverse_dynamics(model_, w_, set, q, v, a, driven, others);
  if (found.out_of_reach > kReached)
    throw std::runtime_error(
        fmt::format("{}: drive_forces: expected drives that reach the accelerations, found {} of {} freedoms driven: "
                    "{:.3g} of the needed force is out of their reach",
                    where_, found.independent, found.freedoms, found.out_of_reach));
  std::string out = "{";
  for (const int body : drives_) {
    const Link& link = model_.link(body);
    out += fmt::format("{}{}: {}", out.size() == 1 ? "" : ", ", json_text(model_.joint_name(body)),
                       json(std::span(found.tau.data() + link.v, static_cast<std::size_t>(link.nv))));
  }
  if (found.is_over_actuated())
    out += fmt::format(R"({}"redundant": {})", out.size() == 1 ? "" : ", ", found.drives - found.independent);
  return out + "}";
}

}  // namespace cardan::command
