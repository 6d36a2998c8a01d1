// Inverse dynamics from the definition alone (d'Alembert's principle): every body's momentum in the world is
// differentiated numerically along a motion with the given velocity and acceleration, and the forces that this takes
// are projected on the joints. Of the library it uses only poses and velocities of bodies.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "tests/support/dense.hpp"

#include <functional>

namespace cardan::test {

/// Fourth-order central difference of a vector or matrix at 0.
Eigen::MatrixXd difference_at_zero(const std::function<Eigen::MatrixXd(double)>& f, double h = 3e-4);

/// A configuration that moves through q at velocity v and acceleration a: integrate(q, v + t a / 2, t).
Eigen::VectorXd moved(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                      double t);

/// tau, armature included.
Eigen::VectorXd newton_euler_by_differences(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                            const Eigen::VectorXd& a);

}  // namespace cardan::test
