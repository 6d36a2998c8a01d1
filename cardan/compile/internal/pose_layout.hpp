// How a pose lies in an array: the rotation by rows, then the position.
#pragma once

#include "cardan/spatial/se3.hpp"

namespace cardan {

template <class T>
void write_pose(const Pose<T>& pose, T* out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[3 * i + j] = pose.R(i, j);
    out[9 + i] = pose.p[i];
  }
}

}  // namespace cardan
