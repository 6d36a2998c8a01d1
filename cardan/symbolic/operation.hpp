// The operations of a graph on any scalar: what the interpreter and constant folding do.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <cmath>

namespace cardan::detail {

/// Functions that a scalar need not have, put together from those that every scalar has.
template <class T>
struct MoreFunctions {
  static T tan(const T& a) { return sin(a) / cos(a); }
  static T asin(const T& a) { return atan2(a, sqrt((T(1.0) - a) * (T(1.0) + a))); }
  static T acos(const T& a) { return atan2(sqrt((T(1.0) - a) * (T(1.0) + a)), a); }
  static T atan(const T& a) { return atan2(a, T(1.0)); }
  static T abs(const T& a) { return select_less(a, T(0.0), -a, a); }
  static T sinh(const T& a) { return T(0.5) * (exp(a) - exp(-a)); }
  static T cosh(const T& a) { return T(0.5) * (exp(a) + exp(-a)); }
  static T tanh(const T& a) { return T(1.0) - T(2.0) / (exp(T(2.0) * a) + T(1.0)); }
};
template <>
struct MoreFunctions<double> {
  static double tan(double a) { return std::tan(a); }
  static double asin(double a) { return std::asin(a); }
  static double acos(double a) { return std::acos(a); }
  static double atan(double a) { return std::atan(a); }
  static double abs(double a) { return std::fabs(a); }
  static double sinh(double a) { return std::sinh(a); }
  static double cosh(double a) { return std::cosh(a); }
  static double tanh(double a) { return std::tanh(a); }
};

template <class T>
T apply(Op op, const T& a, const T& b, const T& c, const T& d) {
  using More = MoreFunctions<T>;
  switch (op) {
    case Op::constant:
    case Op::input: return a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::negate: return -a;
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return More::tan(a);
    case Op::asin: return More::asin(a);
    case Op::acos: return More::acos(a);
    case Op::atan: return More::atan(a);
    case Op::atan2: return atan2(a, b);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::abs: return More::abs(a);
    case Op::sinh: return More::sinh(a);
    case Op::cosh: return More::cosh(a);
    case Op::tanh: return More::tanh(a);
    case Op::min: return select_less(b, a, b, a);
    case Op::max: return select_less(a, b, b, a);
    case Op::select_less: return select_less(a, b, c, d);
  }
  return T(0.0);
}

}  // namespace cardan::detail
