#include "cardan/algorithms/inverse_mass_matrix.hpp"

namespace cardan {

template void inverse_mass_matrix<double>(const Model&, Workspace<double>&, In<double>, MatrixView<double>);

}  // namespace cardan
