#include "cardan/algorithms/joint_forces.hpp"

namespace cardan {

template void joint_forces<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                   std::span<ForceVector<double>>, ExternalForces<double>);

}  // namespace cardan
