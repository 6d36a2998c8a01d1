#include "cardan/algorithms/hybrid_dynamics.hpp"

namespace cardan {

template void hybrid_dynamics<double>(const Model&, Workspace<double>&, GivenAtJoints, In<double>, In<double>,
                                      Out<double>, Out<double>, ExternalForces<double>);

}  // namespace cardan
