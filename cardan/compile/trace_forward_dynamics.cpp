#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/compile/trace_parts.hpp"

namespace cardan {

void trace_forward_dynamics(const Model& model, const Symbolic& q, const Symbolic& v, const Symbolic& tau,
                            Symbolic& a) {
  Workspace<Expr> w(model);
  forward_dynamics(model, w, q, v, tau, a);
}

}  // namespace cardan
