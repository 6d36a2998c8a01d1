#include "cardan/symbolic/operation.hpp"

#include "cardan/math/number_table.hpp"

#include <cmath>
#include <cstddef>

namespace cardan {

const char* name(Op op) {
  static constexpr const char* names[] = {
      "constant", "input", "add",   "subtract",    "multiply",    "divide", "negate", "sin",        "cos",  "tan",
      "asin",     "acos",  "atan",  "atan2",       "sqrt",        "exp",    "log",    "abs",        "sinh", "cosh",
      "tanh",     "pow",   "floor", "table_piece", "table_entry", "min",    "max",    "select_less"};
  return names[static_cast<std::size_t>(op)];
}

double evaluate(Op op, double a, double b, double c, double d) {
  switch (op) {
    case Op::constant:
    case Op::input: return a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::negate: return -a;
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::abs: return std::fabs(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::pow: return std::pow(a, b);
    case Op::floor: return std::floor(a);
    case Op::table_piece: return table_piece(a, b);
    case Op::table_entry: return table_entry(a, b);
    case Op::min: return b < a ? b : a;
    case Op::max: return a < b ? b : a;
    case Op::select_less: return a < b ? c : d;
  }
  return 0.0;
}

}  // namespace cardan
