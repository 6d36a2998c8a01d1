#include "cardan/algorithms/forward_dynamics_derivatives.hpp"

namespace cardan {

template void forward_dynamics_derivatives<double>(const Model&, ForwardDerivativeWorkspace<double>&, In<double>,
                                                   In<double>, In<double>, MatrixView<double>, MatrixView<double>,
                                                   MatrixView<double>, ExternalForces<double>);

}  // namespace cardan
