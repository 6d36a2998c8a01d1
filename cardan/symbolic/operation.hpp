// The operations that an expression is made of.
#pragma once

#include <cstdint>

namespace cardan {

enum class Op : std::uint8_t {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  abs,
  sinh,
  cosh,
  tanh,
  pow,  // a^b, b a constant that is no whole number
  floor,
  table_piece,  // see math/number_table.hpp; b is a constant, the number of a list
  table_entry,
  min,
  max,
  select_less,  // a < b ? c : d
};

/// Counts the operands of an operation.
constexpr int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input: return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::atan2:
    case Op::pow:
    case Op::table_piece:
    case Op::table_entry:
    case Op::min:
    case Op::max: return 2;
    case Op::select_less: return 4;
    default: return 1;
  }
}
const char* name(Op op);
/// Computes an operation on numbers, as constant folding does.
double evaluate(Op op, double a, double b, double c, double d);

}  // namespace cardan
