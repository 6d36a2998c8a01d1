#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/compile/record_parts.hpp"

namespace cardan {

void record_forward_dynamics(const Model& model, const Symbolic& q, const Symbolic& v, const Symbolic& tau,
                             Symbolic& qdd) {
  Workspace<Expr> w(model);
  forward_dynamics(model, w, q, v, tau, qdd);
}

}  // namespace cardan
