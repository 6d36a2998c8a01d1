// Derivatives of a vector that depends on configuration and velocity, by central differences in the tangent space.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/dynamics/state_space.hpp"

#include <Eigen/Dense>

#include <functional>

namespace cardan {

/// Sets some numbers at (q, v).
using TangentFunction = std::function<void(In<double> q, In<double> v, Out<double> out)>;

/// Adds d f/dq to by_q and d f/dv to by_v (null: not wanted) of a function with so many numbers; good to about nine
/// digits.
void add_tangent_differences(const StateSpace& space, const TangentFunction& f, In<double> q, In<double> v, int numbers,
                             Eigen::MatrixXd* by_q, Eigen::MatrixXd* by_v);

}  // namespace cardan
