#include "cardan/algorithms/forward_dynamics.hpp"

namespace cardan {

template void forward_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                       Out<double>, ExternalForces<double>);
template void inverse_mass_matrix_product<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                  Out<double>);

}  // namespace cardan
