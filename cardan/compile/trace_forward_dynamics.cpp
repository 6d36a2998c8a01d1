#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/compile/internal/trace_parts.hpp"

namespace cardan {

void trace_forward_dynamics(const FunctionCall<Expr>& call) {
  forward_dynamics(call.model, call.workspace, call.in[0], call.in[1], call.in[2], call.out);
}

}  // namespace cardan
