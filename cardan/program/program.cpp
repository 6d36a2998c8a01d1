#include "cardan/program/program.hpp"

#include "cardan/math/number_table.hpp"
#include "cardan/math/sincos.hpp"

#include <cmath>
#include <numeric>

namespace cardan::program {

bool is_fused(Code code) {
  return code == Code::multiply_add || code == Code::multiply_subtract || code == Code::subtract_product ||
         code == Code::negated_multiply_add;
}

int operands(Code code) {
  switch (code) {
    case Code::call: return 0;
    case Code::negate:
    case Code::square_root:
    case Code::absolute: return 1;
    case Code::select_less: return 4;
    default: return is_fused(code) ? 3 : 2;
  }
}

int results_of(Function f) { return f == Function::sincos ? 2 : 1; }
int arguments_of(Function f) {
  return f == Function::atan2 || f == Function::pow || f == Function::table_piece || f == Function::table_entry ? 2 : 1;
}

void run_call(Function f, const double* args, int n, double* results) {
  const auto each = [&](double (*function)(double)) {
    for (int i = 0; i < n; ++i) results[i] = function(args[i]);
  };
  const auto each_pair = [&](double (*function)(double, double)) {
    for (int i = 0; i < n; ++i) results[i] = function(args[i], args[n + i]);
  };
  switch (f) {
    case Function::sincos: return sincos_all(args, n, results, results + n);
    case Function::tan: return each(std::tan);
    case Function::asin: return each(std::asin);
    case Function::acos: return each(std::acos);
    case Function::atan: return each(std::atan);
    case Function::atan2: return each_pair(std::atan2);
    case Function::exp: return each(std::exp);
    case Function::log: return each(std::log);
    case Function::sinh: return each(std::sinh);
    case Function::cosh: return each(std::cosh);
    case Function::tanh: return each(std::tanh);
    case Function::pow: return each_pair(std::pow);
    case Function::floor: return each(std::floor);
    case Function::table_piece: return each_pair(table_piece);
    case Function::table_entry: return each_pair(table_entry);
  }
}

int Program::inputs() const { return std::accumulate(input_sizes.begin(), input_sizes.end(), 0); }

}  // namespace cardan::program
