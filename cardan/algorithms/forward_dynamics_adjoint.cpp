#include "cardan/algorithms/forward_dynamics_adjoint.hpp"

namespace cardan {

template void forward_dynamics_adjoint<double>(const Model&, ForwardDerivativeWorkspace<double>&, In<double>,
                                               In<double>, In<double>, In<double>, Out<double>, Out<double>,
                                               Out<double>, ExternalForces<double>);

}  // namespace cardan
