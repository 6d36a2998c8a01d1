#include "cardan/joints/internal/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace cardan {

namespace {

/// Horner's scheme; the coefficients may be numbers or expressions.
template <class C>
Expr horner(const std::vector<C>& c, Expr x) {
  Expr sum;
  for (std::size_t i = c.size(); i-- > 0;) sum = sum * x + Expr(c[i]);
  return sum;
}

/// binomial(n, i) (1/2 + t)^i (1/2 - t)^(n - i) by powers of t.
std::vector<double> bernstein(std::size_t n, std::size_t i) {
  std::vector<double> p{1.0};
  const auto multiply = [&p](double sign) {
    p.push_back(0.0);
    for (std::size_t k = p.size() - 1; k > 0; --k) p[k] = 0.5 * p[k] + sign * p[k - 1];
    p[0] *= 0.5;
  };
  double binomial = 1.0;
  for (std::size_t k = 0; k < i; ++k) {
    multiply(1.0);
    binomial *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  for (std::size_t k = i; k < n; ++k) multiply(-1.0);
  for (double& c : p) c *= binomial;
  return p;
}

/// What rounding has left of a coefficient that should be zero would only cost time.
void drop_rounding(std::vector<double>& c, double size) {
  for (double& x : c)
    if (std::abs(x) < 1e-15 * size) x = 0.0;
}

void check_control_points(std::size_t n) {
  if (n < 2 || n > kMostBezierPoints)
    throw std::invalid_argument("a Bezier curve or a row of a patch has 2 to " + std::to_string(kMostBezierPoints) +
                                " control points, found " + std::to_string(n));
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}

}  // namespace

Expr polynomial(const std::vector<double>& c, Expr x) { return horner(c, x); }

Expr polynomial(const std::vector<std::vector<double>>& c, Expr x, Expr y) {
  std::vector<Expr> rows;
  for (const std::vector<double>& row : c) rows.push_back(horner(row, y));
  return horner(rows, x);
}

std::vector<double> bezier_coefficients(const std::vector<double>& controls) {
  check_control_points(controls.size());
  std::vector<double> out(controls.size());
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const std::vector<double> b = bernstein(controls.size() - 1, i);
    for (std::size_t k = 0; k < b.size(); ++k) out[k] += controls[i] * b[k];
  }
  drop_rounding(out, largest(controls));
  return out;
}

std::vector<std::vector<double>> bezier_coefficients(const std::vector<std::vector<double>>& controls) {
  check_control_points(controls.size());
  std::vector<std::vector<double>> out(controls.size(), std::vector<double>(controls.at(0).size()));
  double size = 0.0;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    size = std::max(size, largest(controls[i]));
    const std::vector<double> row = bezier_coefficients(controls[i]), b = bernstein(controls.size() - 1, i);
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < row.size(); ++j) out[k][j] += b[k] * row[j];
  }
  for (std::vector<double>& row : out) drop_rounding(row, size);
  return out;
}

}  // namespace cardan
