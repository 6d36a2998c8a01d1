#include "cardan/compile/trace.hpp"

#include "cardan/compile/trace_parts.hpp"
#include "cardan/model/dynamic_equivalence.hpp"

namespace cardan {

Trace trace(const Model& given, ModelFunction function, int frame, std::size_t most_nodes) {
  const Model model = with_fewest_parameters(given);  // every parameter that is zero saves operations
  Trace out(most_nodes);
  const Tracing to(out.graph);
  std::vector<std::vector<Expr>> in;
  int next = 0;
  const Signature s = signature(model, function);
  for (const Argument& argument : s.inputs) {
    out.interface.input_sizes.push_back(argument.size);
    auto& array = in.emplace_back();
    for (int i = 0; i < argument.size; ++i) array.push_back(out.graph.input(next++));
  }
  out.interface.outputs.emplace_back(static_cast<std::size_t>(s.output.size));
  std::vector<Expr>& result = out.interface.outputs[0];
  switch (function) {
    case ModelFunction::forward_dynamics: trace_forward_dynamics(model, in[0], in[1], in[2], result); break;
    case ModelFunction::inverse_dynamics: trace_inverse_dynamics(model, in[0], in[1], in[2], result); break;
    case ModelFunction::bias: trace_bias(model, in[0], in[1], result); break;
    case ModelFunction::gravity: trace_gravity(model, in[0], result); break;
    case ModelFunction::mass_matrix: trace_mass_matrix(model, in[0], result); break;
    case ModelFunction::pose: trace_pose(model, in[0], frame, result); break;
    case ModelFunction::jacobian: trace_jacobian(model, in[0], frame, result); break;
  }
  return out;
}

}  // namespace cardan
