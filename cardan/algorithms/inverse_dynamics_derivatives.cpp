#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

namespace cardan {

template void inverse_dynamics_derivatives<double>(const Model&, DerivativeWorkspace<double>&, In<double>, In<double>,
                                                   In<double>, MatrixView<double>, MatrixView<double>,
                                                   MatrixView<double>, ExternalForces<double>);

}  // namespace cardan
