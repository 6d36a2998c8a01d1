#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/compile/trace_parts.hpp"

namespace cardan {

void trace_inverse_dynamics(const Model& model, const Symbolic& q, const Symbolic& v, const Symbolic& a,
                            Symbolic& tau) {
  Workspace<Expr> w(model);
  inverse_dynamics(model, w, q, v, a, tau);
}

void trace_bias(const Model& model, const Symbolic& q, const Symbolic& v, Symbolic& tau) {
  Workspace<Expr> w(model);
  bias(model, w, q, v, tau);
}

void trace_gravity(const Model& model, const Symbolic& q, Symbolic& tau) {
  Workspace<Expr> w(model);
  gravity(model, w, q, tau);
}

}  // namespace cardan
