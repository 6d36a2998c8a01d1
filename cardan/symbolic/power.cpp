#include "cardan/symbolic/expr.hpp"

#include <cmath>

namespace cardan {

namespace {

constexpr double kLargestWhole = 64.0;

/// x^n by repeated squaring.
Expr whole_power(Expr x, int n) {
  if (n < 0) return Expr(1.0) / whole_power(x, -n);
  Expr result(1.0);
  for (Expr square = x; n > 0; n /= 2, square = square * square)
    if (n % 2) result = result * square;
  return result;
}

}  // namespace

Expr pow(Expr a, Expr b) {
  if (!b.is_constant()) return exp(b * log(a));
  const double e = b.value();
  if (e == std::floor(e) && std::fabs(e) <= kLargestWhole) return whole_power(a, static_cast<int>(e));
  return e == 0.5 ? sqrt(a) : apply(Op::pow, a, b);
}

}  // namespace cardan
