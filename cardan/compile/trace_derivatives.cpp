#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/internal/trace_parts.hpp"

namespace cardan {

void trace_inverse_dynamics_derivatives(const FunctionCall<Expr>& call) {
  inverse_dynamics_derivatives<Expr>(call.model, call.derivatives->inverse, call.in[0], call.in[1], call.in[2],
                                     call.square(0), call.square(1), call.square(2));
}

void trace_forward_dynamics_derivatives(const FunctionCall<Expr>& call) {
  forward_dynamics_derivatives<Expr>(call.model, *call.derivatives, call.in[0], call.in[1], call.in[2], call.square(0),
                                     call.square(1), call.square(2));
}

void trace_forward_dynamics_adjoint(const FunctionCall<Expr>& call) {
  forward_dynamics_adjoint<Expr>(call.model, *call.derivatives, call.in[0], call.in[1], call.in[2], call.in[3],
                                 call.row(0), call.row(1), call.row(2));
}

/// Solves H x = e_j by L'DL, each column down to its diagonal: the rest is symmetry.
void trace_inverse_mass_matrix(const FunctionCall<Expr>& call) {
  const int n = call.model.nv();
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<Expr> entries(index(n * n)), x(index(n));
  const MatrixView<Expr> H(entries.data(), n, n), out = call.square(0);
  mass_matrix<Expr>(call.model, call.workspace, call.in[0], H, MassMatrixForm::body_frame);
  const BranchSparsity tree(call.model);
  factorize_ltdl<Expr>(tree, H);
  for (int j = 0; j < n; ++j) {
    x.assign(index(n), Expr(0.0));
    x[index(j)] = Expr(1.0);
    for (int i = j; i >= 0; i = tree.parent(i))
      for (int k = tree.parent(i); k >= 0; k = tree.parent(k)) x[index(k)] -= H(i, k) * x[index(i)];
    for (int i = 0; i <= j; ++i) {
      x[index(i)] = x[index(i)] / H(i, i);
      for (int k = tree.parent(i); k >= 0; k = tree.parent(k)) x[index(i)] -= H(i, k) * x[index(k)];
      out(i, j) = out(j, i) = x[index(i)];
    }
  }
}

}  // namespace cardan
