#include "cardan/algorithms/forward_dynamics.hpp"

namespace cardan {

template void detail::articulate<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                         ExternalForces<double>);
template void detail::articulate_at_rest<double>(const Model&, Workspace<double>&, In<double>, In<double>);
template void forward_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                       Out<double>, ExternalForces<double>);
template void inverse_mass_matrix_product<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                  Out<double>);

}  // namespace cardan
