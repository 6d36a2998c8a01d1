// A program made ready to run: machine code where this machine can have it, else the interpreter.
#pragma once

#include "cardan/program/interpreter.hpp"
#include "cardan/program/machine_code.hpp"

#include <optional>
#include <variant>

namespace cardan::program {

enum class Backend { machine_code, interpreter };

struct ExecutableOptions {
  std::optional<Backend> backend;     // none: machine code if possible
  std::optional<InstructionSet> set;  // none: the best there is
  int lanes = 1;                      // states at once; more than one needs machine code
};

class Executable {
 public:
  Executable(const Program& program, const ExecutableOptions& options = {});

  Backend backend() const {
    return std::holds_alternative<MachineCode>(code_) ? Backend::machine_code : Backend::interpreter;
  }
  int scratch() const { return scratch_; }
  /// Counts the bytes that the code takes in memory.
  std::size_t bytes() const;
  /// Runs on the input arrays; the output arrays overlap nothing else.
  void run(const double* const* inputs, double* const* outputs, double* scratch) const {
    if (const auto* code = std::get_if<MachineCode>(&code_)) return code->run(inputs, outputs, scratch);
    std::get<Interpreter>(code_).run(inputs, outputs, scratch);
  }

 private:
  std::variant<MachineCode, Interpreter> code_;
  int scratch_ = 0;
};

}  // namespace cardan::program

namespace cardan {
using program::Backend;
using program::Executable;
using program::ExecutableOptions;
}  // namespace cardan
