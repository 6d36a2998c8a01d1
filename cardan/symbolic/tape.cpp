#include "cardan/symbolic/tape.hpp"

#include <limits>
#include <map>

namespace cardan {

Tape::Tape(const Graph& graph, std::span<const Expr> outputs, int inputs) : inputs_(inputs) {
  const std::vector<Expr> order = depth_first(graph, outputs);
  std::map<int, std::size_t> last_use;  // position of the last reader; outputs are read at the end
  for (std::size_t i = 0; i < order.size(); ++i)
    for (int k = 0; k < arity(graph[order[i]].op); ++k) last_use[graph[order[i]].arg[k].id] = i;
  for (const Expr e : outputs) last_use[e.id] = order.size();

  std::map<int, int> slot;
  int next = inputs;
  for (const Expr e : order) {
    const Node& n = graph[e];
    if (n.op == Op::constant) {
      slot[e.id] = next++;
      constants_.push_back(n.value);
    } else if (n.op == Op::input) {
      if (n.index >= inputs) throw std::invalid_argument("a tape was promised fewer inputs than its graph reads");
      slot[e.id] = n.index;
    }
  }
  std::vector<int> free_slots;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& n = graph[order[i]];
    if (n.op == Op::constant || n.op == Op::input) continue;
    Instruction x;
    x.op = n.op;
    for (int k = 0; k < arity(n.op); ++k) x.arg[k] = static_cast<std::uint16_t>(slot.at(n.arg[k].id));
    for (int k = 0; k < arity(n.op); ++k) {
      const Expr a = n.arg[k];
      const bool computed = graph[a].op != Op::constant && graph[a].op != Op::input;
      if (!computed || last_use.at(a.id) != i) continue;
      free_slots.push_back(slot.at(a.id));
      last_use[a.id] = order.size();  // an operand that occurs twice is given back once
    }
    int to = next;
    if (free_slots.empty()) {
      ++next;
    } else {
      to = free_slots.back();
      free_slots.pop_back();
    }
    slot[order[i].id] = to;
    x.to = static_cast<std::uint16_t>(to);
    code_.push_back(x);
    if (next > std::numeric_limits<std::uint16_t>::max())
      throw GraphTooLarge("the expression needs too many values at once");
  }
  slots_ = next;
  for (const Expr e : outputs) outputs_.push_back(static_cast<std::uint16_t>(slot.at(e.id)));
}

}  // namespace cardan
