#include "cardan/compile/internal/trace.hpp"
#include "cardan/algorithms/forward_dynamics_derivatives.hpp"

#include "cardan/compile/internal/function_table.hpp"
#include "cardan/model/dynamic_equivalence.hpp"

#include <optional>

namespace cardan {

Trace trace(const Model& given, ModelFunction function, const TraceOptions& options) {
  const Model model = with_fewest_parameters(given);  // every parameter that is zero saves operations
  Trace out{std::make_unique<Graph>(options.most_nodes), {}};
  std::vector<std::vector<Expr>> symbols;
  int next = 0;
  const Signature s = signature(model, function);
  for (const Argument& argument : s.inputs) {
    out.interface.input_sizes.push_back(argument.size);
    auto& array = symbols.emplace_back();
    for (int i = 0; i < argument.size; ++i) array.push_back(out.graph->input(next++));
  }
  out.interface.outputs.emplace_back(static_cast<std::size_t>(s.output.size));
  const auto resistance = [&](const CoordinateSpring& s) { return s.resistance(symbols[0].data(), symbols[1].data()); };
  if (function == ModelFunction::forward_dynamics)
    for (const CoordinateSpring& s : options.springs) symbols[2][static_cast<std::size_t>(s.v)] -= resistance(s);
  const std::vector<In<Expr>> in(symbols.begin(), symbols.end());
  Workspace<Expr> workspace(model);
  Kinematics<Expr> kinematics(model);
  std::optional<ForwardDerivativeWorkspace<Expr>> derivatives;
  if (table_entry(function).needs_derivatives) derivatives.emplace(model);
  table_entry(function).trace({model, workspace, kinematics, options.frame, in.data(), out.interface.outputs[0],
                               derivatives ? &*derivatives : nullptr});
  if (function == ModelFunction::inverse_dynamics)
    for (const CoordinateSpring& s : options.springs)
      out.interface.outputs[0][static_cast<std::size_t>(s.v)] += resistance(s);
  return out;
}

}  // namespace cardan
