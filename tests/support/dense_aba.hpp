// The articulated-body algorithm to the letter of Table 7.1 with dense 6x6 matrices: a slow second opinion. It takes
// the joints' transforms and columns from the kinematics.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "tests/support/dense.hpp"

namespace cardan::test {

struct DenseArticulated {
  std::vector<Matrix6> I_A, I_a;  // of each body, and what of it passes through its joint
  std::vector<Vector6> p_A, p_a, a;
  Eigen::VectorXd qdd;
};

/// k must hold poses, velocities and, as accelerations, the velocity products J_dot v (a kinematics call with a = 0).
/// f_ext as for forward_dynamics; may be empty.
DenseArticulated dense_aba(const Model& model, const Kinematics<double>& k, const Eigen::VectorXd& tau,
                           const std::vector<ForceVector<double>>& f_ext = {});

}  // namespace cardan::test
