// Springs and dampers of coordinates that are plain numbers, as joints carry them (DofProperties).
#pragma once

#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

struct CoordinateSpring {
  int q, v;  // coordinate and velocity
  double stiffness, rest, damping;

  /// Computes what it takes to hold it, stiffness (q - rest) + damping v: tau is less by that.
  template <class T>
  T resistance(const T* q_all, const T* v_all) const {
    return T(stiffness) * (q_all[q] - T(rest)) + T(damping) * v_all[v];
  }
};

/// Lists those that have stiffness or damping, of joints whose v is dq/dt.
std::vector<CoordinateSpring> coordinate_springs(const Model& model);

}  // namespace cardan
