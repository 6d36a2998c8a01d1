#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/trace_parts.hpp"

namespace cardan {

void trace_mass_matrix(const Model& model, const Symbolic& q, Symbolic& H) {
  Workspace<Expr> w(model);
  mass_matrix(model, w, q, MatrixView<Expr>(H.data(), model.nv(), model.nv()), MassMatrixForm::body_frame);
}

}  // namespace cardan
