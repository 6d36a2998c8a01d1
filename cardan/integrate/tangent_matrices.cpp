#include "cardan/integrate/tangent_matrices.hpp"

namespace cardan {

void tangent_matrix(const Model& model, const Eigen::VectorXd& x, Eigen::MatrixXd& T) {
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    unit[j] = 1.0;
    increment_velocity(model, x.data(), unit.data(), T.col(j).data());
    unit[j] = 0.0;
  }
}

void tangent_derivative(const Model& model, const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::MatrixXd& out) {
  constexpr double kStep = 6e-6;
  Eigen::VectorXd moved = x, plus(x.size()), minus(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    moved[j] = x[j] + kStep;
    increment_velocity(model, moved.data(), u.data(), plus.data());
    moved[j] = x[j] - kStep;
    increment_velocity(model, moved.data(), u.data(), minus.data());
    moved[j] = x[j];
    out.col(j) = (plus - minus) / (2.0 * kStep);
  }
}

}  // namespace cardan
