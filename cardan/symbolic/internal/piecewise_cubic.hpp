// A function of one number through given points: what a measured curve becomes in a text. Evaluating it costs a search
// for the piece and one cubic, however many points there are, and its derivatives are those of the pieces.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace cardan {

enum class Interpolation {
  linear,      // C0
  monotone,    // C1, rises and falls only where the points do (Fritsch and Carlson 1980)
  fmm_spline,  // C2, with the third derivatives at the ends of the cubics through the four points there
  spline       // C2, natural at the ends: no curvature there
};
/// As users write them, in this order.
const std::vector<std::string>& interpolation_names();

class PiecewiseCubic {
 public:
  /// Beyond the points the function goes on in its end tangents or, if periodic, comes around again. Throws
  /// std::invalid_argument unless there are two points or more with x rising; three and equal end values if periodic.
  PiecewiseCubic(std::span<const double> x, std::span<const double> y, Interpolation method, bool periodic = false);

  Expr operator()(Expr x) const;

 private:
  double start_ = 0.0, period_ = 0.0;     // of a periodic one
  double begin_ = 0.0;                    // where each piece begins, as a kept table
  std::array<double, 4> coefficients_{};  // of each piece by powers of the distance from there, as kept tables
};

}  // namespace cardan
