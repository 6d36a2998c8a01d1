// From a graph to a list of instructions. Functions come first: the arguments that depend on no other function are
// computed and all their functions called together, then those that depend on these, and so on; a mechanism's sines and
// cosines are one call. Everything else follows in the order in which it was recorded, body after body.
#include "cardan/program/internal/schedule.hpp"
#include "cardan/program/internal/sums.hpp"
#include "cardan/program/program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

namespace cardan::program {

namespace {

std::size_t index_of(NodeId e) { return static_cast<std::size_t>(e); }

std::optional<Function> function_of(Op op) {
  switch (op) {
    case Op::sin:
    case Op::cos: return Function::sincos;
    case Op::tan: return Function::tan;
    case Op::asin: return Function::asin;
    case Op::acos: return Function::acos;
    case Op::atan: return Function::atan;
    case Op::atan2: return Function::atan2;
    case Op::exp: return Function::exp;
    case Op::log: return Function::log;
    case Op::sinh: return Function::sinh;
    case Op::cosh: return Function::cosh;
    case Op::tanh: return Function::tanh;
    case Op::pow: return Function::pow;
    case Op::floor: return Function::floor;
    case Op::table_piece: return Function::table_piece;
    case Op::table_entry: return Function::table_entry;
    default: return std::nullopt;
  }
}

Code code_of(Op op) {
  switch (op) {
    case Op::add: return Code::add;
    case Op::subtract: return Code::subtract;
    case Op::multiply: return Code::multiply;
    case Op::divide: return Code::divide;
    case Op::negate: return Code::negate;
    case Op::sqrt: return Code::square_root;
    case Op::abs: return Code::absolute;
    case Op::min: return Code::minimum;
    case Op::max: return Code::maximum;
    default: return Code::select_less;
  }
}

class Lowering {
 public:
  Lowering(const Graph& graph, const Interface& interface) : g_(graph), io_(interface) {
    for (const auto& array : io_.outputs) outputs_.insert(outputs_.end(), array.begin(), array.end());
    order_ = reachable(g_, outputs_);
    const std::size_t n = order_.empty() ? 0 : index_of(order_.back()) + 1;
    level_.assign(n, 0);
    value_.assign(n, kNone);
  }

  Program run() {
    number_inputs_and_constants();
    sums_ = find_sums(g_, order_, outputs_);
    find_levels();
    for (const Phase& phase : phases()) {
      for (const NodeId e : phase.computed) emit(e);
      call_functions(phase.called);
    }
    std::size_t next = 0;
    for (std::size_t array = 0; array < io_.outputs.size(); ++array)
      for (std::size_t i = 0; i < io_.outputs[array].size(); ++i)
        p_.outputs.push_back({static_cast<int>(array), static_cast<int>(i), value_of(outputs_[next++])});
    p_.values = next_value_;
    return std::move(p_);
  }

 private:
  static constexpr int kNone = -1;

  void number_inputs_and_constants() {
    p_.input_sizes = io_.input_sizes;
    for (const auto& array : io_.outputs) p_.output_sizes.push_back(static_cast<int>(array.size()));
    const int inputs = p_.inputs();
    for (const NodeId e : order_) {
      const Node& n = g_[e];
      if (n.op == Op::input) {
        if (n.index >= inputs) throw std::invalid_argument("a program was promised fewer inputs than its graph reads");
        value_[index_of(e)] = n.index;
      } else if (n.op == Op::constant) {
        value_[index_of(e)] = p_.first_computed();
        p_.constants.push_back(n.value);
      }
    }
    for (const Expr e : outputs_)
      if (e.is_constant()) number_output(e.value());
    next_value_ = p_.first_computed();
  }

  /// Numbers a constant that is itself an output, each once.
  int number_output(double value) {
    const auto [it, is_new] = constant_outputs_.try_emplace(std::bit_cast<std::uint64_t>(value), p_.first_computed());
    if (is_new) p_.constants.push_back(value);
    return it->second;
  }
  int value_of(Expr output) {
    return output.is_constant() ? number_output(output.value()) : value_[index_of(output.id())];
  }

  /// Counts the calls that stand one after the other before a value.
  void find_levels() {
    for (const NodeId e : order_) {
      int level = 0;
      for (int k = 0; k < arity(g_[e].op); ++k) level = std::max(level, level_[index_of(g_[e].arg[k])]);
      if (function_of(g_[e].op)) levels_ = std::max(levels_, ++level);
      level_[index_of(e)] = level;
    }
  }

  /// What is computed before the functions of one level are called, and these functions.
  struct Phase {
    std::vector<NodeId> computed, called;
  };
  /// Puts each node into the first phase that needs it; what only outputs need comes last.
  std::vector<Phase> phases() const {
    std::vector<int> first(level_.size(), levels_);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const Node& n = g_[*it];
      const int phase = function_of(n.op) ? level_[index_of(*it)] - 1 : first[index_of(*it)];
      for (int k = 0; k < arity(n.op); ++k) first[index_of(n.arg[k])] = std::min(first[index_of(n.arg[k])], phase);
    }
    std::vector<Phase> out(static_cast<std::size_t>(levels_) + 1);
    for (const NodeId e : order_)
      if (function_of(g_[e].op))
        out[static_cast<std::size_t>(level_[index_of(e)] - 1)].called.push_back(e);
      else if (value_[index_of(e)] == kNone && !sums_.vanished[index_of(e)])
        out[static_cast<std::size_t>(first[index_of(e)])].computed.push_back(e);
    return out;
  }

  /// Nodes by the arguments of their function.
  using Group = std::map<std::pair<int, int>, std::vector<NodeId>>;

  void call_functions(const std::vector<NodeId>& called) {
    // sorted by argument, so that inputs which lie side by side are read in place
    std::map<Function, Group> groups;
    for (const NodeId e : called) {
      const Function f = *function_of(g_[e].op);
      const NodeId second = arguments_of(f) == 2 ? g_[e].arg[1] : 0;
      groups[f][{sort_key(g_[e].arg[0]), sort_key(second)}].push_back(e);
    }
    for (const auto& [f, group] : groups) emit_call(f, group);
  }

  int sort_key(NodeId e) const { return g_[e].op == Op::input ? g_[e].index : p_.inputs() + e; }

  void emit_call(Function f, const Group& group) {
    Call call;
    call.function = f;
    for (const auto& [key, nodes] : group) call.args.push_back(value_[index_of(g_[nodes[0]].arg[0])]);
    call.count = static_cast<int>(call.args.size());
    if (arguments_of(f) == 2)
      for (const auto& [key, nodes] : group) call.args.push_back(value_[index_of(g_[nodes[0]].arg[1])]);
    call.first_result = next_value_;
    next_value_ += results_of(f) * call.count;
    int i = 0;
    for (const auto& [key, nodes] : group) {
      for (const NodeId e : nodes) value_[index_of(e)] = call.first_result + i + (g_[e].op == Op::cos ? call.count : 0);
      ++i;
    }
    Instruction x;
    x.code = Code::call;
    x.to = call.first_result;
    x.arg[0] = static_cast<int>(p_.calls.size());
    p_.calls.push_back(std::move(call));
    p_.code.push_back(x);
  }

  void emit(NodeId e) {
    if (const int sum = sums_.of_node[index_of(e)]; sum >= 0) {
      value_[index_of(e)] = emit_sum(sums_.list[static_cast<std::size_t>(sum)].terms);
      return;
    }
    const Node& n = g_[e];
    int args[4] = {};
    for (int k = 0; k < arity(n.op); ++k) args[k] = value_[index_of(n.arg[k])];
    value_[index_of(e)] = emit(code_of(n.op), args[0], args[1], args[2], args[3]);
  }

  int emit(Code code, int a, int b = 0, int c = 0, int d = 0) {
    p_.code.push_back({code, next_value_, {a, b, c, d}});
    return next_value_++;
  }
  int emit_product(Code code, NodeId product, int addend = 0) {
    return emit(code, value_[index_of(g_[product].arg[0])], value_[index_of(g_[product].arg[1])], addend);
  }

  /// Terms in the order in which they come, but one that is no product first if there is one.
  int emit_sum(std::vector<Term> terms) {
    const auto plain = std::find_if(terms.begin(), terms.end(), [](const Term& t) { return !t.product; });
    if (plain != terms.end()) std::rotate(terms.begin(), plain, plain + 1);
    const Term& first = terms[0];
    int sum = first.product ? emit_product(Code::multiply, first.node) : value_[index_of(first.node)];
    bool negative = first.negative;  // the sum so far is to be taken with a minus sign
    for (std::size_t i = 1; i < terms.size(); ++i) {
      const Term& t = terms[i];
      if (t.product) {
        const Code code = negative ? (t.negative ? Code::negated_multiply_add : Code::multiply_subtract)
                                   : (t.negative ? Code::subtract_product : Code::multiply_add);
        sum = emit_product(code, t.node, sum);
        negative = false;
      } else {
        const int x = value_[index_of(t.node)];
        sum = negative == t.negative ? emit(Code::add, sum, x)
              : negative             ? emit(Code::subtract, x, sum)
                                     : emit(Code::subtract, sum, x);
        negative = negative && t.negative;
      }
    }
    return negative ? emit(Code::negate, sum) : sum;
  }

  const Graph& g_;
  const Interface& io_;
  Program p_;
  std::vector<Expr> outputs_;
  std::vector<NodeId> order_;
  std::map<std::uint64_t, int> constant_outputs_;  // by their bits
  Sums sums_;
  std::vector<int> level_, value_;  // by node
  int levels_ = 0, next_value_ = 0;
};

}  // namespace

Program make_program(const Graph& graph, const Interface& interface) {
  Program p = Lowering(graph, interface).run();
  schedule(p);
  return p;
}

Program make_program(const Graph& graph, std::span<const Expr> outputs, int inputs) {
  return make_program(graph, {{inputs}, {{outputs.begin(), outputs.end()}}});
}

}  // namespace cardan::program
