// Spline joints (Lee and Terzopoulos 2008; Sueda's notes, sections 2.4.12 and 2.4.13): the child follows control frames
// by cubic splines, uniform B-splines if nothing else is said.
#pragma once

#include "cardan/joints/expression.hpp"

#include <array>
#include <vector>

namespace cardan {

/// Which basis matrix B blends four controls (after Eq. 2.62). B-splines are C2 and pass near their controls, Catmull
/// and Rom's are C1 and pass through them (but for the first and the last), Bezier's pass through every third.
enum class SplineBasis { b_spline, catmull_rom, bezier };
/// Names as scene files spell them, in the order of the enumeration.
const std::vector<std::string>& spline_basis_names();

/// One coordinate q along n control frames: Q = C_k exp(D_k+1 b2) exp(D_k+2 b3) exp(D_k+3 b4), the cumulative basis at
/// q - k, D_i = log(C_i-1^-1 C_i), where k <= q < k + 1 is the segment (Eq. 2.67). Open: n >= 4, q from 0 to n - 3;
/// beyond, the end segments go on. Closed: n >= 3 frames in a ring, q from 0 to n and around again.
/// With the basis `bezier` a segment has four frames and shares the last with the next: n = 3 m + 1 (closed: 3 m), q
/// from 0 to m.
ExpressionJoint spline_curve(const std::vector<Pose<double>>& frames, bool closed = false,
                             SplineBasis basis = SplineBasis::b_spline);

/// Two coordinates. Each control has x, y, z and the angles about x, y, z, in turn; they are blended one by one
/// (Eq. 2.68) to Q = trans rotx roty rotz. First index: q0. Singular where the blended angle about y is +-pi/2. A net
/// of n x m controls, 4 or more each way, has (n - 3) x (m - 3) patches (`bezier`: (n - 1)/3 x (m - 1)/3) and as many
/// units of q0 and q1; beyond, the patches at the edge go on.
using SplineControls = std::vector<std::vector<std::array<double, 6>>>;
ExpressionJoint spline_surface(const SplineControls& controls, SplineBasis basis = SplineBasis::b_spline);

}  // namespace cardan
