#include "cardan/algorithms/floating_base_matrix.hpp"

namespace cardan {

template void floating_base_equation<double>(const Model&, Workspace<double>&, FloatingBaseMatrix<double>&, In<double>,
                                             In<double>, ExternalForces<double>);
template void floating_base_forward_dynamics_by_matrix<double>(const Model&, Workspace<double>&,
                                                               FloatingBaseMatrix<double>&, In<double>, In<double>,
                                                               In<double>, Out<double>, ExternalForces<double>);
template void floating_base_momentum_matrix<double>(const Model&, Workspace<double>&, const Kinematics<double>&,
                                                    MatrixView<double>);
template void floating_base_jacobian<double>(const Model&, const Kinematics<double>&, MatrixView<const double>, int,
                                             MatrixView<double>);

}  // namespace cardan
