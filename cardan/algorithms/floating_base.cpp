#include "cardan/algorithms/floating_base.hpp"

namespace cardan {

template void floating_base_forward_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                     In<double>, Out<double>, ExternalForces<double>);
template void floating_base_inverse_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                     Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
