// Singular values and symmetric eigenvalues of dense matrices, compiled once for all sources.
#pragma once

#include <Eigen/Core>

namespace cardan {

/// A = U diag(values) V', values falling; as many columns of U and V as the smaller side of A has.
struct SingularValues {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};
SingularValues singular_values(const Eigen::MatrixXd& A);
/// The values alone.
Eigen::VectorXd singular_value_sizes(const Eigen::MatrixXd& A);

/// A = vectors diag(values) vectors', values rising.
struct SymmetricSpectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
/// Reads the lower half.
SymmetricSpectrum symmetric_spectrum(const Eigen::MatrixXd& A);

}  // namespace cardan
