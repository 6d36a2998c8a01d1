#include "cardan/algorithms/hybrid_matrix.hpp"

namespace cardan {

template void hybrid_dynamics_by_matrix<double>(const Model&, Workspace<double>&, HybridMatrix<double>&, In<double>,
                                                In<double>, Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
