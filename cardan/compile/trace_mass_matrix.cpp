#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/internal/trace_parts.hpp"

namespace cardan {

void trace_mass_matrix(const FunctionCall<Expr>& call) {
  const int n = call.model.nv();
  mass_matrix(call.model, call.workspace, call.in[0], MatrixView<Expr>(call.out.data(), n, n),
              MassMatrixForm::body_frame);
}

}  // namespace cardan
