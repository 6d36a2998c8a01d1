// A list of operations made from a graph, to be run on any scalar: the interpreter. Values live in slots that are used
// again once their last reader is done, so even long expressions need few.
#pragma once

#include "cardan/symbolic/operation.hpp"

#include <span>
#include <vector>

namespace cardan {

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

/// Runs a tape with its scratch memory on the stack where it is small, as nearly always.
template <class T>
void run_tape(const Tape& tape, const T* in, T* out) {
  constexpr int kSmall = 128;
  if (tape.slots() <= kSmall) {
    T scratch[kSmall];
    return tape.run(in, out, scratch);
  }
  std::vector<T> scratch(static_cast<std::size_t>(tape.slots()));
  tape.run(in, out, scratch.data());
}

}  // namespace cardan
