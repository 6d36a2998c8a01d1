// A straight-line program: what a graph computes, as a list of the operations a processor has. Multiplications are
// fused into sums, equal functions are gathered into calls on many arguments at once, and the order keeps values close
// to their readers. Every backend (interpreter, machine code, C) runs this list.
#pragma once

#include "cardan/symbolic/graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace cardan::program {

enum class Code : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  multiply_add,          // a b + c, rounded once
  multiply_subtract,     // a b - c
  subtract_product,      // c - a b
  negated_multiply_add,  // -a b - c
  square_root,
  absolute,
  minimum,
  maximum,
  select_less,  // a < b ? c : d
  call,
};

bool is_fused(Code code);
int operands(Code code);

struct Instruction {
  Code code = Code::add;
  int to = 0;       // the value it computes
  int arg[4] = {};  // the values it reads; of a call, arg[0] is its number
};

/// Functions that are no single instruction, each on all arguments that are ready at the same time.
enum class Function : std::uint8_t {
  sincos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  exp,
  log,
  sinh,
  cosh,
  tanh,
  pow,
  floor,
  table_piece,
  table_entry
};
/// How many results an argument has, and how many numbers an argument is.
int results_of(Function f);
int arguments_of(Function f);

/// Results come one kind after the other: all sines, then all cosines. So do the arguments of functions of two numbers.
struct Call {
  Function function = Function::sincos;
  std::vector<int> args;
  int first_result = 0;  // results are consecutive values
  int count = 0;         // arguments, of the first kind
};
/// Runs a call on n arguments; the memory for results must not overlap that of the arguments.
void run_call(Function f, const double* args, int n, double* results);

/// Values are numbered: the inputs, array after array, then the constants, then what instructions and calls compute.
struct Program {
  struct Output {
    int array = 0, index = 0, value = 0;
  };
  std::vector<int> input_sizes, output_sizes;  // of the arrays
  std::vector<double> constants;
  std::vector<Instruction> code;
  std::vector<Call> calls;
  std::vector<Output> outputs;
  int values = 0;

  int inputs() const;
  int first_constant() const { return inputs(); }
  int first_computed() const { return inputs() + static_cast<int>(constants.size()); }
  bool is_input(int value) const { return value < inputs(); }
  bool is_constant(int value) const { return value >= inputs() && value < first_computed(); }
};

/// What a program is to read and write. Input k of the graph is the k-th entry of all input arrays taken together.
struct Interface {
  std::vector<int> input_sizes;
  std::vector<std::vector<Expr>> outputs;
};

Program make_program(const Graph& graph, const Interface& interface);
/// Makes a program of one input array and one output array.
Program make_program(const Graph& graph, std::span<const Expr> outputs, int inputs);

}  // namespace cardan::program

namespace cardan {
using program::make_program;
using program::Program;
}  // namespace cardan
