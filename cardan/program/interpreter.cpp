#include "cardan/program/interpreter.hpp"

#include <algorithm>

namespace cardan::program {

Interpreter::Interpreter(Program program) : p_(std::move(program)) {
  std::size_t most_arguments = 0;
  for (const Call& c : p_.calls) most_arguments = std::max(most_arguments, c.args.size());
  scratch_ = p_.values + static_cast<int>(most_arguments);
}

void Interpreter::run(double* const* arrays, double* scratch) const {
  double* value = scratch;
  double* const arguments = scratch + p_.values;
  for (const int size : p_.input_sizes) value = std::copy_n(*arrays++, size, value);
  std::copy(p_.constants.begin(), p_.constants.end(), value);
  value = scratch;
  for (const Instruction& x : p_.code) {
    if (x.code == Code::call) {
      const Call& c = p_.calls[static_cast<std::size_t>(x.arg[0])];
      std::transform(c.args.begin(), c.args.end(), arguments, [&](int a) { return value[a]; });
      run_call(c.function, arguments, c.count, value + c.first_result);
    } else {
      value[x.to] = evaluate(x.code, value[x.arg[0]], value[x.arg[1]], value[x.arg[2]], value[x.arg[3]]);
    }
  }
  for (const Program::Output& out : p_.outputs) arrays[out.array][out.index] = value[out.value];
}

}  // namespace cardan::program
