// A list of operations made from a graph, to be run on any scalar: the interpreter. Values live in slots that are used
// again once their last reader is done, so even long expressions need few.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <span>
#include <vector>

namespace cardan {

namespace detail {

/// The operation on any scalar; what it lacks is put together from what every scalar has.
template <class T>
T apply(Op op, const T& a, const T& b, const T& c, const T& d) {
  const T one(1.0), zero(0.0);
  switch (op) {
    case Op::constant:
    case Op::input: return a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::negate: return -a;
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return sin(a) / cos(a);
    case Op::asin: return atan2(a, sqrt((one - a) * (one + a)));
    case Op::acos: return atan2(sqrt((one - a) * (one + a)), a);
    case Op::atan: return atan2(a, one);
    case Op::atan2: return atan2(a, b);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::abs: return select_less(a, zero, -a, a);
    case Op::sinh: return T(0.5) * (exp(a) - exp(-a));
    case Op::cosh: return T(0.5) * (exp(a) + exp(-a));
    case Op::tanh: return one - T(2.0) / (exp(T(2.0) * a) + one);
    case Op::min: return select_less(b, a, b, a);
    case Op::max: return select_less(a, b, b, a);
    case Op::select_less: return select_less(a, b, c, d);
  }
  return zero;
}
template <>
inline double apply(Op op, const double& a, const double& b, const double& c, const double& d) {
  return evaluate(op, a, b, c, d);
}

}  // namespace detail

class Tape {
 public:
  Tape() = default;
  /// Inputs 0 to inputs - 1 of the graph are those of the tape.
  Tape(const Graph& graph, std::span<const Expr> outputs, int inputs);

  int slots() const { return slots_; }
  int outputs() const { return static_cast<int>(outputs_.size()); }
  int operations() const { return static_cast<int>(code_.size()); }

  /// scratch has slots() entries.
  template <class T>
  void run(const T* in, T* out, T* scratch) const {
    for (int i = 0; i < inputs_; ++i) scratch[i] = in[i];
    for (std::size_t i = 0; i < constants_.size(); ++i)
      scratch[static_cast<std::size_t>(inputs_) + i] = T(constants_[i]);
    for (const Instruction& x : code_)
      scratch[x.to] =
          detail::apply<T>(x.op, scratch[x.arg[0]], scratch[x.arg[1]], scratch[x.arg[2]], scratch[x.arg[3]]);
    for (std::size_t i = 0; i < outputs_.size(); ++i) out[i] = scratch[outputs_[i]];
  }

 private:
  struct Instruction {
    Op op;
    std::uint16_t to = 0;
    std::uint16_t arg[4] = {};
  };
  int inputs_ = 0, slots_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;
  std::vector<std::uint16_t> outputs_;
};

}  // namespace cardan
