// Spline joints (Lee and Terzopoulos 2008; Sueda's notes, sections 2.4.12 and 2.4.13): the child follows control frames
// by uniform cubic B-splines.
#pragma once

#include "cardan/joints/expression.hpp"

#include <array>
#include <vector>

namespace cardan {

/// One coordinate q along n control frames: Q = C_k exp(D_k+1 b2) exp(D_k+2 b3) exp(D_k+3 b4), the cumulative basis at
/// q - k, D_i = log(C_i-1^-1 C_i), where k <= q < k + 1 is the segment (Eq. 2.67). Open: n >= 4, q from 0 to n - 3;
/// beyond, the end segments go on. Closed: n >= 3 frames in a ring, q from 0 to n and around again.
ExpressionJoint spline_curve(const std::vector<Pose<double>>& frames, bool closed = false);

/// Two coordinates from 0 to 1. Each control has x, y, z and the angles about x, y, z, in turn; they are blended one by
/// one (Eq. 2.68) to Q = trans rotx roty rotz. First index: q0. Singular where the blended angle about y is +-pi/2.
using SplineControls = std::array<std::array<std::array<double, 6>, 4>, 4>;
ExpressionJoint spline_surface(const SplineControls& controls);

}  // namespace cardan
