// Functions whose derivatives are counted: spherical harmonics, a long chain, and the poses of general joints.
#pragma once

#include "cardan/joints/expression.hpp"
#include "cardan/spatial/se3.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cardan::bench {

/// Inputs of the graph, from one number on.
std::vector<Expr> inputs(Graph& graph, int first, int n);

/// All Y_lm with l <= order at (x, y, z) on the unit sphere, N_lm P_lm(z) (cos or sin part of (x + i y)^m), by the
/// usual recurrences.
std::vector<Expr> spherical_harmonics(int order, Expr x, Expr y, Expr z);

/// x <- sin(x) x + a, so many times.
Expr long_chain(int steps, Expr x, Expr a);

/// A joint given by its pose as a whole, and as the library makes it, a product of motions.
struct PoseFunction {
  std::string name;
  int coordinates;
  std::function<Pose<Expr>(std::span<const Expr> q)> pose;
  ExpressionJoint as_product;
};
/// Surface on surface, point on curve, frame on a patch.
std::vector<PoseFunction> surface_and_curve_joints();

}  // namespace cardan::bench
