#include "cardan/dynamics/internal/system_assembly.hpp"

namespace cardan {

Assembly assemble(RecursiveProblem& equations, const ReducedProblem* reduced, double t, const State& state,
                  const KeptJoints& kept) {
  if (ConstrainedDynamics* const constrained = equations.constraints())
    return assemble(equations.system().model(), constrained->constraints(), t, state, kept);
  Assembly out(reduced != nullptr ? reduced->expand(reduced->reduce(state)) : state);
  if (reduced == nullptr) equations.follow(t, out.state);
  out.closed = true;
  return out;
}

}  // namespace cardan
