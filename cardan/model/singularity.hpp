// Where coordinates fail: joints whose pose or S is not defined at a state (the zero tangent of a curve), or whose S
// loses rank, so that two coordinates move the body alike (gimbal lock, the pole of a sphere).
#pragma once

#include "cardan/model/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace cardan {

struct SingularJoint {
  int body = 0;         // that the joint moves
  bool finite = false;  // S is, and only loses rank
  std::string what;     // one line with the joint, its type and its coordinates
};

/// S has lost rank when its smallest singular value is below 1e-9 of its largest.
std::vector<SingularJoint> singular_joints(const Model& model, std::span<const double> q);

}  // namespace cardan
