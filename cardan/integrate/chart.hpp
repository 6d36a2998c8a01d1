// Where a Runge-Kutta method adds its stages: in the coordinates themselves (quaternions are brought back to unit
// length after every addition), or in increments on the joints' manifolds, as Munthe-Kaas does.
#pragma once

#include "cardan/integrate/manifold.hpp"

namespace cardan {

struct Chart {
  bool on_manifold = false;

  int size(const Model& model) const { return on_manifold ? model.nv() : model.nq(); }

  /// q = q0 moved by x.
  void move(const Model& model, const double* q0, const double* x, double* q) const {
    if (on_manifold) return integrate(model, q0, x, 1.0, q);
    for (int i = 0; i < model.nq(); ++i) q[i] = q0[i] + x[i];
    normalize_quaternions(model, q);
  }
  /// dx/dt at the increment x, which has led to q.
  void rate(const Model& model, const double* x, const double* q, const double* v, double* out) const {
    if (on_manifold) return increment_rate(model, x, v, out);
    coordinate_rate(model, q, v, out);
  }
};

}  // namespace cardan
