#include "cardan/model/coupling.hpp"

#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>

namespace cardan {

namespace {
constexpr std::size_t kMostNodes = 100'000;
}

CouplingFunction::CouplingFunction(int inputs, const SymbolicFunction& function) : inputs_(inputs) {
  Graph graph(kMostNodes);
  const Tracing tracing(graph);
  std::vector<Expr> x, v;
  for (int i = 0; i < inputs; ++i) x.push_back(graph.input(i));
  for (int i = 0; i < inputs; ++i) v.push_back(graph.input(inputs + i));
  const Expr f = function(x);
  const std::span<const Expr> value(&f, 1);
  std::vector<Expr> out{f};
  const auto gradient = jacobian(graph, value, x, Differentiation::reverse);
  out.insert(out.end(), gradient.begin(), gradient.end());
  const auto rate = derivative_along(graph, value, x, v, Differentiation::forward);
  const auto curvature = derivative_along(graph, rate, x, v, Differentiation::forward);
  out.push_back(curvature.front());
  tape_ = Tape(graph, out, 2 * inputs);
}

CouplingFunction::Memory::Memory(const CouplingFunction& function)
    : x(static_cast<std::size_t>(function.inputs_)),
      v(x),
      in(2 * x.size()),
      out(static_cast<std::size_t>(function.tape_.outputs())),
      scratch(static_cast<std::size_t>(function.tape_.slots())) {}

Expr CouplingFunction::trace(std::span<const Expr> x) const {
  std::vector<Expr> in(x.begin(), x.end()), out(static_cast<std::size_t>(tape_.outputs())),
      scratch(static_cast<std::size_t>(tape_.slots()));
  in.resize(2 * x.size());  // at rest: only the value is asked for
  tape_.run(in.data(), out.data(), scratch.data());
  return out.front();
}

void CouplingFunction::operator()(Memory& m) const {
  std::copy(m.x.begin(), m.x.end(), m.in.begin());
  std::copy(m.v.begin(), m.v.end(), m.in.begin() + inputs_);
  tape_.run(m.in.data(), m.out.data(), m.scratch.data());
}

}  // namespace cardan
