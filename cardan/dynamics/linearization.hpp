// A system near one of its states, to first order and exact: with x = (tangent of q, v, z), inputs u and further
// generalized forces tau,
//   H da - J' dlambda = K dq + D dv + f_z dz + f_u du + dtau,   J da = -(rows by q) dq - (rows by v) dv,
// where K and D are those of bodies, forces and constraint forces together (a and lambda constant). Where constraints
// repeat one another, a is unique all the same. Loops are meant to be closed: derivatives are those along directions
// that keep them so.
#pragma once

#include "cardan/dynamics/problem.hpp"
#include "cardan/dynamics/state_tangent.hpp"
#include "cardan/dynamics/system.hpp"

#include <Eigen/Dense>

#include <string>
#include <vector>

namespace cardan {

class RecursiveProblem;

struct Linearization {
  Eigen::VectorXd a;                         // the acceleration there
  Eigen::MatrixXd a_by_q, a_by_v, a_by_tau;  // nv x nv
  Eigen::MatrixXd a_by_z, a_by_u;            // nv x states of elements, nv x inputs
  Eigen::MatrixXd rate_by_q, rate_by_v;      // of z_dot: states x nv
  Eigen::MatrixXd rate_by_z, rate_by_u;      // states x states, states x inputs
  Eigen::MatrixXd displacement_by_q;         // of the rate of the tangent of q: zero but for ball and free joints

  /// dx/dt = A x + B u.
  Eigen::MatrixXd A() const;
  Eigen::MatrixXd B() const;
};

/// The equations above, at a state.
struct LinearEquations {
  Eigen::MatrixXd H, K, D;
  Eigen::MatrixXd J, rows_by_q, rows_by_v;  // no rows where nothing is constrained
  StateTangent states;
};
/// Computes them at a state of a problem that the caller keeps, and the acceleration there. Throws as linearize() does.
LinearEquations linear_equations(RecursiveProblem& problem, const Point& at, Eigen::VectorXd& a);
/// Solves them; the state is one of the model with velocities v, and accelerates by a.
Linearization solve_linear(const Model& model, In<double> v, const Eigen::VectorXd& a, LinearEquations equations);

/// Linearizes a system at a state of the model, with all its forces, which have the states of their start where the
/// state has none; the formulation does not matter. Contacts, limits and dry friction are not in it. Throws
/// std::runtime_error, one line, where the mass matrix is singular.
Linearization linearize(const System& system, double t, const State& state);

/// Names the entries of x: "q.JOINT", "v.JOINT.2", "z.NAME".
std::vector<std::string> state_names(const System& system);

}  // namespace cardan
