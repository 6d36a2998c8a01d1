#include "cardan/algorithms/inverse_dynamics.hpp"

namespace cardan {

template void inverse_dynamics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                       Out<double>, ExternalForces<double>);
template void bias<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>,
                           ExternalForces<double>);
template void gravity<double>(const Model&, Workspace<double>&, In<double>, Out<double>);
template void mass_matrix_product<double>(const Model&, Workspace<double>&, In<double>, In<double>, Out<double>);

}  // namespace cardan
