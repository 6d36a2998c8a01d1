#include "cardan/program/executable.hpp"

namespace cardan::program {

namespace {

std::variant<MachineCode, Interpreter> make(const Program& program, const ExecutableOptions& options) {
  if (options.backend != Backend::interpreter) try {
      return MachineCode(program, options.set ? *options.set : best_instruction_set(), options.lanes);
    } catch (const NoMachineCode&) {
      if (options.backend || options.lanes != 1) throw;  // it was asked for
    }
  if (options.lanes != 1) throw std::invalid_argument("the interpreter runs one state at a time");
  return Interpreter(program);
}

}  // namespace

Executable::Executable(const Program& program, const ExecutableOptions& options) : code_(make(program, options)) {
  scratch_ = std::visit([](const auto& code) { return code.scratch(); }, code_);
}

std::size_t Executable::bytes() const {
  return std::visit([](const auto& code) { return code.bytes(); }, code_);
}

}  // namespace cardan::program
