#include "tests/support/near.hpp"

namespace cardan::test {

double amplification(const Eigen::MatrixXd& H) {
  const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H, Eigen::EigenvaluesOnly).eigenvalues();
  return std::max(1.0, e.maxCoeff() / e.minCoeff() / 1e6);
}

}  // namespace cardan::test
