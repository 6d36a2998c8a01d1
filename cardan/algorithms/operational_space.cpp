#include "cardan/algorithms/operational_space.hpp"

#include <Eigen/Dense>
#include "cardan/math/internal/spectra.hpp"

namespace cardan {

bool operational_space_inertia(MatrixView<const double> Phi, In<double> b, MatrixView<double> I, Out<double> p) {
  const int n = Phi.rows();
  detail::check_size("operational_space_inertia", "Phi", n, n, Phi.rows(), Phi.cols());
  detail::check_size("operational_space_inertia", "b", n, b.size());
  detail::check_size("operational_space_inertia", "I", n, n, I.rows(), I.cols());
  detail::check_size("operational_space_inertia", "p", n, p.size());
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> phi(Phi.column(0), n, n, {Phi.stride()});
  // rows and columns to size one, so that meters and radians do not enter
  const Eigen::VectorXd scale = phi.diagonal().cwiseSqrt().cwiseInverse();
  if (!scale.allFinite()) return false;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * phi * scale.asDiagonal();
  const SymmetricSpectrum spectrum = symmetric_spectrum(scaled);
  constexpr double kSingular = 1e-11;
  if (spectrum.values.minCoeff() < kSingular) return false;
  const Eigen::MatrixXd W =
      scale.asDiagonal() * spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd inverse = W.lazyProduct(W.transpose());  // the products that compile quickly
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>(I.column(0), n, n, {I.stride()}) = inverse;
  const Eigen::Map<const Eigen::VectorXd> b_vector(b.data(), n);
  Eigen::Map<Eigen::VectorXd>(p.data(), n) = -inverse.lazyProduct(b_vector);
  return true;
}

template void operational_space_inverse_inertia<double>(const Model&, Workspace<double>&,
                                                        OperationalSpaceWorkspace<double>&, In<double>,
                                                        std::span<const int>, MatrixView<double>);
template void operational_space_bias<double>(const Model&, Workspace<double>&, OperationalSpaceWorkspace<double>&,
                                             In<double>, In<double>, In<double>, std::span<const int>, Out<double>,
                                             ExternalForces<double>);

}  // namespace cardan
