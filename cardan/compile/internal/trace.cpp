#include "cardan/compile/internal/trace.hpp"

#include "cardan/compile/internal/function_table.hpp"
#include "cardan/model/dynamic_equivalence.hpp"

namespace cardan {

Trace trace(const Model& given, ModelFunction function, int frame, std::size_t most_nodes) {
  const Model model = with_fewest_parameters(given);  // every parameter that is zero saves operations
  Trace out{std::make_unique<Graph>(most_nodes), {}};
  std::vector<std::vector<Expr>> symbols;
  int next = 0;
  const Signature s = signature(model, function);
  for (const Argument& argument : s.inputs) {
    out.interface.input_sizes.push_back(argument.size);
    auto& array = symbols.emplace_back();
    for (int i = 0; i < argument.size; ++i) array.push_back(out.graph->input(next++));
  }
  out.interface.outputs.emplace_back(static_cast<std::size_t>(s.output.size));
  const std::vector<In<Expr>> in(symbols.begin(), symbols.end());
  Workspace<Expr> workspace(model);
  Kinematics<Expr> kinematics(model);
  table_entry(function).trace({model, workspace, kinematics, frame, in.data(), out.interface.outputs[0]});
  return out;
}

}  // namespace cardan
