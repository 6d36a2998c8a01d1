#include "cardan/math/internal/spectra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace cardan {

SingularValues singular_values(const Eigen::MatrixXd& A) {
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

Eigen::VectorXd singular_value_sizes(const Eigen::MatrixXd& A) {
  return Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues();
}

SymmetricSpectrum symmetric_spectrum(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace cardan
