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
  min,
  max,
  select_less,  // a < b ? c : d
};

/// Counts the operands of an operation.
int arity(Op op);
const char* name(Op op);
/// Computes an operation on numbers, as constant folding does.
double evaluate(Op op, double a, double b, double c, double d);

}  // namespace cardan
