#include "cardan/forces/held_choices.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// d where m is 0, c where it is 1, and in between what lies between; what is not chosen need not be a number.
Expr blend(Expr m, Expr c, Expr d) {
  const Expr zero(0.0), one(1.0);
  return select_less(zero, m, select_less(m, one, d + m * (c - d), c), d);
}

/// Writes the outputs anew with a number in place of every switch.
std::vector<Expr> with_choices(Graph& graph, std::span<const Expr> outputs, std::span<const Switch> switches,
                               int first_input) {
  std::vector<Expr> now(static_cast<std::size_t>(graph.size()));
  for (const NodeId id : reachable(graph, outputs)) {
    const Node n = graph[id];
    Expr args[4];
    for (int k = 0; k < arity(n.op); ++k) {
      const NodeId from = n.arg[k];
      args[k] = graph.is_constant(from) ? Expr(graph[from].value) : now[static_cast<std::size_t>(from)];
    }
    const auto found = std::find_if(switches.begin(), switches.end(), [&](const Switch& s) { return s.node == id; });
    Expr& out = now[static_cast<std::size_t>(id)];
    if (n.op == Op::constant || n.op == Op::input) {
      out = graph.expr(id);
    } else if (found == switches.end()) {
      out = apply(n.op, args[0], args[1], args[2], args[3]);
    } else {
      const Expr choice = graph.input(first_input + static_cast<int>(found - switches.begin()));
      out = n.op == Op::select_less ? blend(choice, args[2], args[3]) : choice;
    }
  }
  std::vector<Expr> all;
  for (const Expr& e : outputs) all.push_back(e.is_constant() ? e : now[static_cast<std::size_t>(graph.node(e))]);
  return all;
}

}  // namespace

ChosenText::ChosenText(Graph& graph, std::span<const Expr> outputs, const std::vector<bool>& is_time) {
  std::vector<Switch> switches = find_switches(graph, outputs, dependences(graph, is_time));
  std::erase_if(switches, [](const Switch& s) { return s.of_time; });
  if (switches.empty()) return;
  try {
    const int inputs = static_cast<int>(is_time.size());
    const std::vector<Expr> chosen = with_choices(graph, outputs, switches, inputs);
    std::vector<Expr> compared;
    for (const Switch& s : switches) {
      compared.push_back(s.a);
      compared.push_back(s.b);
    }
    chosen_ = Interpreter(make_program(graph, chosen, inputs + static_cast<int>(switches.size())));
    compared_ = Interpreter(make_program(graph, compared, inputs));
    for (const Switch& s : switches) switches_.push_back(s.op);
  } catch (const GraphTooLarge&) {
    switches_.clear();
  }
}

}  // namespace cardan
