// Load-dependent friction inside a joint: two bearings, a length apart, that carry the joint's reaction.
#pragma once

#include <vector>

namespace cardan {

/// The reaction (m, f) about the joint's origin gives the forces f_perp/2 +- (z x m)/length on the two bearings.
struct Bearing {
  int body = 0;         // that the joint moves
  int loop = -1;        // or which loop it is in
  double radius = 0.0;  // m
  double length = 0.0;  // m, between the two
  double mu = 0.0;
  bool fitted = false;        // pressed against all of the journal (4/pi), else with clearance
  bool disc_collar = false;   // axial force on a disc (2/3 radius), else on a ring
  double half_width = 0.0;    // of a prismatic joint: what takes the moment about its axis
  std::vector<double> radii;  // of the coordinates of other joints: bound mu r |f|
};

}  // namespace cardan
