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
  if (space.is_flat()) return;
  constexpr double kStep = 6e-6;
  Eigen::VectorXd moved = x, plus(x.size()), minus(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    moved[j] = x[j] + kStep;
    space.increment_velocity(moved.data(), u.data(), plus.data());
    moved[j] = x[j] - kStep;
    space.increment_velocity(moved.data(), u.data(), minus.data());
    moved[j] = x[j];
    out.col(j) = (plus - minus) / (2.0 * kStep);
  }
}

}  // namespace cardan
