#include "cardan/algorithms/momentum_matrix.hpp"

namespace cardan {

template void momentum_matrix<double>(const Model&, Workspace<double>&, In<double>, const Kinematics<double>&,
                                      const Vec3<double>&, MatrixView<double>);

}  // namespace cardan
