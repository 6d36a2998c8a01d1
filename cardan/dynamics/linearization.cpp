#include "cardan/dynamics/linearization.hpp"

#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/dynamics/internal/constrained_response.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

/// Sets how the tangent of q grows by itself: with q moved by x from a motion with velocity v on a group,
/// dx/dt = dv - ad(v) x.
void set_transport(const Model& model, In<double> velocities, Eigen::MatrixXd& out) {
  out.setZero(model.nv(), model.nv());
  /// Subtracts [w]x from the block.
  const auto subtract_cross = [&](int row, int column, const double* w) {
    for (int k = 0; k < 3; ++k) {
      out(row + (k + 1) % 3, column + k) -= w[(k + 2) % 3];
      out(row + (k + 2) % 3, column + k) += w[(k + 1) % 3];
    }
  };
  for (int i = 1; i <= model.bodies(); ++i)
    for_each_part(model.joint(i), model.link(i).q, model.link(i).v, [&]<class J>(const J&, int, int v) {
      const double* const omega = velocities.data() + v;
      if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) subtract_cross(v, v, omega);
      if constexpr (std::same_as<J, Free>) {
        subtract_cross(v + 3, v + 3, omega);
        subtract_cross(v + 3, v, omega + 3);
      }
    });
}

}  // namespace

Eigen::MatrixXd Linearization::A() const {
  const Eigen::Index n = a.size(), nz = rate_by_z.rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(2 * n + nz, 2 * n + nz);
  out.topLeftCorner(n, n) = displacement_by_q;
  out.block(0, n, n, n).setIdentity();
  out.block(n, 0, n, n) = a_by_q;
  out.block(n, n, n, n) = a_by_v;
  out.block(n, 2 * n, n, nz) = a_by_z;
  out.block(2 * n, 0, nz, n) = rate_by_q;
  out.block(2 * n, n, nz, n) = rate_by_v;
  out.bottomRightCorner(nz, nz) = rate_by_z;
  return out;
}

Eigen::MatrixXd Linearization::B() const {
  const Eigen::Index n = a.size();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(2 * n + rate_by_u.rows(), a_by_u.cols());
  out.middleRows(n, n) = a_by_u;
  out.bottomRows(rate_by_u.rows()) = rate_by_u;
  return out;
}

Linearization solve_linear(const Model& model, In<double> v, const Eigen::VectorXd& a, LinearEquations equations) {
  const Eigen::Index n = model.nv();
  const ConstrainedResponse response(equations.H, equations.J);
  Linearization out;
  out.a = a;
  out.a_by_q = response(equations.K, -equations.rows_by_q);
  out.a_by_v = response(equations.D, -equations.rows_by_v);
  out.a_by_tau = response(Eigen::MatrixXd::Identity(n, n));
  out.a_by_z = response(equations.states.f_by_z);
  out.a_by_u = response(equations.states.f_by_u);
  out.rate_by_q = std::move(equations.states.rate_by_q);
  out.rate_by_v = std::move(equations.states.rate_by_v);
  out.rate_by_z = std::move(equations.states.rate_by_z);
  out.rate_by_u = std::move(equations.states.rate_by_u);
  set_transport(model, v, out.displacement_by_q);
  return out;
}

Linearization linearize(const System& system, double t, const State& state) {
  const State full = system.initial(state);
  RecursiveProblem problem(system, system.model());
  Eigen::VectorXd a;
  LinearEquations equations = linear_equations(problem, Point(t, full), a);
  Linearization out = solve_linear(system.model(), full.v, a, std::move(equations));
  out.a_by_tau *= problem.force_response();
  return out;
}

LinearEquations linear_equations(RecursiveProblem& problem, const Point& at, Eigen::VectorXd& a) {
  const Model& model = problem.model();
  const Eigen::Index n = model.nv(), m = problem.rows();
  Eigen::VectorXd z_dot(at.z.size());
  a.resize(n);
  problem.acceleration_and_multipliers(at, a, z_dot);
  if (!a.allFinite()) {
    Workspace<double> scratch(model);
    std::string why = problem.explain(at);
    if (why.empty()) why = explain_singular_mass_matrix(model, scratch, at.q);
    throw std::runtime_error("linearization: " + (why.empty() ? std::string("the accelerations are not finite") : why));
  }
  LinearEquations out;
  const Eigen::VectorXd lambda = m > 0 ? problem.constraints()->multipliers() : Eigen::VectorXd();
  Eigen::MatrixXd pull;
  out.rows_by_q.setZero(m, n);
  out.rows_by_v.setZero(m, n);
  problem.linearize(at, a, lambda,
                    {.H = &out.H,
                     .K = &out.K,
                     .D = &out.D,
                     .J = &out.J,
                     .pull_by_q = &pull,
                     .rows_by_q = &out.rows_by_q,
                     .rows_by_v = &out.rows_by_v,
                     .implicit = Problem::Implicit::exact});
  if (m > 0) out.K += pull;
  problem.linearize_states(at, a, lambda, out.states);
  return out;
}

std::vector<std::string> state_names(const System& system) {
  const Model& model = system.model();
  std::vector<std::string> out;
  for (const char* kind : {"q.", "v."})
    for (int i = 1; i <= model.bodies(); ++i)
      for (int k = 0; k < model.link(i).nv; ++k)
        out.push_back(kind + model.joint_name(i) + (model.link(i).nv > 1 ? "." + std::to_string(k) : ""));
  for (const std::string& name : state_columns(system.forces())) out.push_back(name);
  return out;
}

}  // namespace cardan
