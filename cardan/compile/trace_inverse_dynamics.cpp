#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/compile/internal/trace_parts.hpp"

namespace cardan {

void trace_inverse_dynamics(const FunctionCall<Expr>& call) {
  inverse_dynamics(call.model, call.workspace, call.in[0], call.in[1], call.in[2], call.out);
}

void trace_bias(const FunctionCall<Expr>& call) { bias(call.model, call.workspace, call.in[0], call.in[1], call.out); }

void trace_gravity(const FunctionCall<Expr>& call) { gravity(call.model, call.workspace, call.in[0], call.out); }

}  // namespace cardan
