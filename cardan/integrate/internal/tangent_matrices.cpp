#include "cardan/integrate/internal/tangent_matrices.hpp"

namespace cardan {

void tangent_matrix(const StateSpace& space, const Eigen::VectorXd& x, Eigen::MatrixXd& T) {
  T.setIdentity(x.size(), x.size());
  if (space.is_flat()) return;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    unit[j] = 1.0;
    space.increment_velocity(x.data(), unit.data(), T.col(j).data());
    unit[j] = 0.0;
  }
}

void tangent_derivative(const StateSpace& space, const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                        Eigen::MatrixXd& out) {
  out.setZero(x.size(), x.size());
  if (!space.is_flat()) space.increment_velocity_derivative(x.data(), u.data(), out.data());
}

}  // namespace cardan
