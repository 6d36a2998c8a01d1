#include "cardan/model/coupling.hpp"

#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>

namespace cardan {

namespace {
constexpr std::size_t kMostNodes = 100'000;
}

CouplingFunction::CouplingFunction(int inputs, const SymbolicFunction& function) : inputs_(inputs) {
  Graph graph(kMostNodes);
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
  value_ = FrozenGraph(graph, value);
  interpreter_ = Interpreter(make_program(graph, out, 2 * inputs));
}

CouplingFunction::Memory::Memory(const CouplingFunction& function)
    : x(static_cast<std::size_t>(function.inputs_)),
      v(x),
      in(2 * x.size()),
      out(static_cast<std::size_t>(function.interpreter_.outputs())),
      scratch(static_cast<std::size_t>(function.interpreter_.scratch())) {}

Expr CouplingFunction::trace(std::span<const Expr> x) const { return value_(x).front(); }

void CouplingFunction::operator()(Memory& m) const {
  std::copy(m.x.begin(), m.x.end(), m.in.begin());
  std::copy(m.v.begin(), m.v.end(), m.in.begin() + inputs_);
  interpreter_.run(m.in.data(), m.out.data(), m.scratch.data());
}

}  // namespace cardan
