#include "cardan/algorithms/coriolis_matrix.hpp"

namespace cardan {

template void coriolis_matrix<double>(const Model&, DerivativeWorkspace<double>&, In<double>, In<double>,
                                      MatrixView<double>);

}  // namespace cardan
