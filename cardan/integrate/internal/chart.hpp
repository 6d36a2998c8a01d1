// Where a Runge-Kutta method adds its stages: in the coordinates themselves (quaternions are brought back to unit
// length after every addition), or in increments on the joints' manifolds, as Munthe-Kaas does.
#pragma once

#include "cardan/dynamics/state_space.hpp"

namespace cardan {

struct Chart {
  bool on_manifold = false;

  int size(const StateSpace& space) const { return on_manifold ? space.sizes().v : space.sizes().q; }

  /// q = q0 moved by x.
  void move(const StateSpace& space, const double* q0, const double* x, double* q) const {
    if (on_manifold) return space.move(q0, x, q);
    for (int i = 0; i < space.sizes().q; ++i) q[i] = q0[i] + x[i];
    space.normalize(q);
  }
  /// dx/dt at the increment x, which has led to q.
  void rate(const StateSpace& space, const double* x, const double* q, const double* v, double* out) const {
    if (on_manifold) return space.increment_rate(x, v, out);
    space.coordinate_rate(q, v, out);
  }
};

}  // namespace cardan
