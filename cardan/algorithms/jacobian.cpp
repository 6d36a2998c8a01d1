#include "cardan/algorithms/jacobian.hpp"

namespace cardan {

template void frame_jacobian<double>(const Model&, const Kinematics<double>&, int, MatrixView<double>);
template void frame_jacobian_world_axes<double>(const Model&, const Kinematics<double>&, int, MatrixView<double>);
template void frame_jacobian_rate<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                          const Kinematics<double>&, int, MatrixView<double>);
template void world_jacobian<double>(const Model&, const Kinematics<double>&, MatrixView<double>);

}  // namespace cardan
