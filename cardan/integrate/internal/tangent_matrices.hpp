// The tangent operator of all joints as matrices, for Newton's method.
#pragma once

#include "cardan/dynamics/state_space.hpp"

#include <Eigen/Dense>

namespace cardan {

/// T(x), by columns.
void tangent_matrix(const StateSpace& space, const Eigen::VectorXd& x, Eigen::MatrixXd& T);

/// d(T(x) u)/dx at constant u; zero for flat coordinates.
void tangent_derivative(const StateSpace& space, const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                        Eigen::MatrixXd& out);

}  // namespace cardan
