#include "cardan/algorithms/kinematics.hpp"

namespace cardan {

template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, Kinematics<double>&);
template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, In<double>, Kinematics<double>&);
template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                         Kinematics<double>&);

}  // namespace cardan
