// Functions of one model at many states: machine code for several states at once, side by side in the lanes of a
// register, on several threads.
#pragma once

#include "cardan/compile/compiled_model.hpp"

#include <array>
#include <memory>
#include <span>

namespace cardan {

class Batch {
 public:
  /// Compiles nothing before it is needed.
  explicit Batch(const Model& model) : model_(model) {}
  const Model& model() const { return model_; }

  /// One of a function's arrays: a row for each state, or one row that holds for all.
  struct Input {
    const double* data = nullptr;
    bool is_common = false;
  };
  /// Evaluates the function (one that needs no frame) at so many states; `out` has a row for each. A number that is
  /// none stays in the rows of its state. threads = 0: as many as the machine has cores, where that pays. Calls from
  /// several threads must not overlap.
  void run(ModelFunction function, std::size_t states, std::span<const Input> in, double* out, int threads = 0);

 private:
  /// A function for one state and for as many as a register holds; the second is null where that is not to be had.
  struct Code {
    std::shared_ptr<const CompiledModel> single, wide;
    std::unique_ptr<CompiledWorkspace> workspace;  // of the first
    bool is_too_large = false;                     // for the second
  };
  Code& code(ModelFunction function);
  Code& wide_code(ModelFunction function);

  Model model_;
  std::array<Code, kModelFunctions> codes_{};  // by function
};

}  // namespace cardan
