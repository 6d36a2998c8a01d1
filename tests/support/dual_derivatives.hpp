// Derivatives of inverse dynamics by dual numbers, eight directions in each pass over the tree: what the closed form is
// compared with.
#pragma once

#include "cardan/algorithms/external_forces.hpp"

#include <Eigen/Dense>

namespace cardan::test {

struct DynamicsDerivatives {
  Eigen::MatrixXd by_q, by_v;
};

DynamicsDerivatives dual_inverse_dynamics_derivatives(const Model& model, const Eigen::VectorXd& q,
                                                      const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                                                      const std::vector<ForceVector<double>>& f_ext = {});

}  // namespace cardan::test
