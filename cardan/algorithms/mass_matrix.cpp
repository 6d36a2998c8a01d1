#include "cardan/algorithms/mass_matrix.hpp"

namespace cardan {

template void mass_matrix<double>(const Model&, Workspace<double>&, In<double>, MatrixView<double>, MassMatrixForm,
                                  MassMatrixPart);

}  // namespace cardan
