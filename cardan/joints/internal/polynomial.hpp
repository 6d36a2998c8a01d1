// Polynomials with known coefficients as expressions, and those of Bezier curves and patches.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <vector>

namespace cardan {

/// c0 + c1 x + c2 x^2 + ...
Expr polynomial(const std::vector<double>& c, Expr x);
/// Sum of c[i][j] x^i y^j.
Expr polynomial(const std::vector<std::vector<double>>& c, Expr x, Expr y);

/// With more control values in a row, fewer than twelve digits would be left.
inline constexpr std::size_t kMostBezierPoints = 24;

/// The Bezier polynomial with these control values, in powers of s - 1/2: expanded there its coefficients stay small.
/// Throws std::invalid_argument unless there are 2 to kMostBezierPoints.
std::vector<double> bezier_coefficients(const std::vector<double>& controls);
/// Converts the control values of a patch, given by rows (first index u), in powers of u - 1/2 and v - 1/2.
std::vector<std::vector<double>> bezier_coefficients(const std::vector<std::vector<double>>& controls);

}  // namespace cardan
