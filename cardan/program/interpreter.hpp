// Runs a program instruction by instruction, on any machine and any scalar: what machine code is compared with. On
// double it gives the bits that machine code does; other scalars have no fused multiply-add and round twice.
#pragma once

#include "cardan/math/number_table.hpp"
#include "cardan/math/stepwise.hpp"
#include "cardan/program/program.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>

namespace cardan::program {

/// Computes a product and a sum, rounded once on double and twice on other scalars.
template <class T>
T fused(Code code, const T& a, const T& b, const T& c) {
  if constexpr (std::same_as<T, double>) {
    const bool minus_product = code == Code::subtract_product || code == Code::negated_multiply_add;
    const bool minus_c = code == Code::multiply_subtract || code == Code::negated_multiply_add;
    return std::fma(minus_product ? -a : a, b, minus_c ? -c : c);
  } else {
    switch (code) {
      case Code::multiply_subtract: return a * b - c;
      case Code::subtract_product: return c - a * b;
      case Code::negated_multiply_add: return -(a * b) - c;
      default: return a * b + c;
    }
  }
}

/// Computes an absolute value; that of a double has no sign bit.
template <class T>
T absolute(const T& a) {
  if constexpr (std::same_as<T, double>)
    return std::fabs(a);
  else
    return select_less(a, T(0.0), -a, a);
}

/// Computes an instruction on any scalar.
template <class T>
T evaluate(Code code, const T& a, const T& b, const T& c, const T& d) {
  switch (code) {
    case Code::add: return a + b;
    case Code::subtract: return a - b;
    case Code::multiply: return a * b;
    case Code::divide: return a / b;
    case Code::negate: return -a;
    case Code::multiply_add: return fused(Code::multiply_add, a, b, c);
    case Code::multiply_subtract: return fused(Code::multiply_subtract, a, b, c);
    case Code::subtract_product: return fused(Code::subtract_product, a, b, c);
    case Code::negated_multiply_add: return fused(Code::negated_multiply_add, a, b, c);
    case Code::square_root: return sqrt(a);
    case Code::absolute: return absolute(a);
    case Code::minimum: return select_less(b, a, b, a);
    case Code::maximum: return select_less(a, b, b, a);
    case Code::select_less: return select_less(a, b, c, d);
    case Code::call: break;
  }
  return T(0.0);
}

/// Computes a function that is constant but for steps.
template <class T>
T evaluate_stepwise(Function f, const T& a, const T& b) {
  if constexpr (requires { a.rate; }) {
    return T(evaluate_stepwise(f, a.value, b.value));
  } else if constexpr (std::same_as<T, Expr>) {
    if (f == Function::floor) return floor(a);
    return f == Function::table_piece ? table_piece(a, b.value()) : table_entry(a, b.value());
  } else {
    if (f == Function::floor) return stepwise(a, [](double x) { return std::floor(x); });
    const double table = constant_of(b);
    return stepwise(
        a, [&](double x) { return f == Function::table_piece ? table_piece(x, table) : table_entry(x, table); });
  }
}

/// Computes a function on any scalar from those that every scalar has. A sine comes with its cosine, see run_call.
template <class T>
T evaluate(Function f, const T& a, const T& b) {
  switch (f) {
    case Function::sincos: return sin(a);
    case Function::tan: return sin(a) / cos(a);
    case Function::asin: return atan2(a, sqrt((T(1.0) - a) * (T(1.0) + a)));
    case Function::acos: return atan2(sqrt((T(1.0) - a) * (T(1.0) + a)), a);
    case Function::atan: return atan2(a, T(1.0));
    case Function::atan2: return atan2(a, b);
    case Function::exp: return exp(a);
    case Function::log: return log(a);
    case Function::sinh: return T(0.5) * (exp(a) - exp(-a));
    case Function::cosh: return T(0.5) * (exp(a) + exp(-a));
    case Function::tanh: return T(1.0) - T(2.0) / (exp(T(2.0) * a) + T(1.0));
    case Function::pow: return pow(a, b);
    case Function::floor:
    case Function::table_piece:
    case Function::table_entry: break;
  }
  return evaluate_stepwise(f, a, b);
}

/// Runs a call on any scalar; double has a version of its own (program.hpp).
template <class T>
void run_call(Function f, const T* args, int n, T* results) {
  for (int i = 0; i < n; ++i) results[i] = evaluate(f, args[i], args[arguments_of(f) == 2 ? n + i : i]);
  if (f == Function::sincos)
    for (int i = 0; i < n; ++i) results[n + i] = cos(args[i]);
}

/// A program whose values are numbered anew, so that a number is used again once its last reader is done.
class Interpreter {
 public:
  Interpreter() = default;
  explicit Interpreter(const Program& program);

  /// Numbers of scratch memory that a run needs.
  int scratch() const { return scratch_; }
  /// Counts the bytes of the instructions and constants.
  std::size_t bytes() const { return p_.code.size() * sizeof(Instruction) + p_.constants.size() * sizeof(double); }
  /// Entries of all input arrays.
  int inputs() const { return std::accumulate(p_.input_sizes.begin(), p_.input_sizes.end(), 0); }
  /// Entries of all output arrays.
  int outputs() const { return static_cast<int>(p_.outputs.size()); }

  template <class T>
  void run(const T* const* inputs, T* const* outputs, T* scratch) const {
    T* next = scratch;
    for (const int size : p_.input_sizes) next = std::copy_n(*inputs++, size, next);
    for (const double x : p_.constants) *next++ = T(x);
    T* const arguments = scratch + p_.values;
    for (const Instruction& x : p_.code) {
      if (x.code == Code::call) {
        const Call& c = p_.calls[static_cast<std::size_t>(x.arg[0])];
        std::transform(c.args.begin(), c.args.end(), arguments, [&](int a) { return scratch[a]; });
        run_call(c.function, arguments, c.count, scratch + c.first_result);
      } else {
        scratch[x.to] = evaluate<T>(x.code, scratch[x.arg[0]], scratch[x.arg[1]], scratch[x.arg[2]], scratch[x.arg[3]]);
      }
    }
    for (const Program::Output& out : p_.outputs) outputs[out.array][out.index] = scratch[out.value];
  }
  /// Runs a program that has one input array and one output array.
  template <class T>
  void run(const T* in, T* out, T* scratch) const {
    run(&in, &out, scratch);
  }

 private:
  Program p_;
  int scratch_ = 0;
};

/// Runs an interpreter with its scratch memory on the stack where it is small, as nearly always.
template <class T>
void run_small(const Interpreter& interpreter, const T* in, T* out) {
  constexpr int kSmall = 128;
  if (interpreter.scratch() <= kSmall) {
    T scratch[kSmall];
    return interpreter.run(in, out, scratch);
  }
  std::vector<T> scratch(static_cast<std::size_t>(interpreter.scratch()));
  interpreter.run(in, out, scratch.data());
}

}  // namespace cardan::program

namespace cardan {
using program::Interpreter;
using program::run_small;
}  // namespace cardan
