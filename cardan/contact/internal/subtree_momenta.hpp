// Momentum and inertia of all that each body carries, itself included, in its coordinates.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/spatial/articulated_inertia.hpp"

namespace cardan {

struct SubtreeMomenta {
  std::vector<ForceVector<double>> h;
  std::vector<RigidBodyInertia<double>> I;

  SubtreeMomenta(const Model& model, const Instant& at) : h(static_cast<std::size_t>(model.bodies()) + 1), I(h.size()) {
    for (int body = model.bodies(); body >= 1; --body) {
      const auto b = static_cast<std::size_t>(body), p = static_cast<std::size_t>(model.link(body).parent);
      h[b] += model.link(body).I * at.bodies.v[b];
      I[b] += model.link(body).I;
      if (p == 0) continue;
      h[p] += transpose_apply(at.bodies.X[b], h[b]);
      I[p] += transpose_apply(at.bodies.X[b], I[b]);
    }
  }

  /// Computes the motion that adds a momentum to what a body carries, as if that were rigid.
  MotionVector<double> motion(int body, const ForceVector<double>& momentum) const {
    const RigidBodyInertia<double>& inertia = I[static_cast<std::size_t>(body)];
    const Vec3<double> c = (1.0 / inertia.m) * inertia.h;
    const Mat3<double> cross_c = skew(c);
    return inverse_inertia(inertia.m, c, lower_triangle(full(inertia.I) + inertia.m * (cross_c * cross_c))) * momentum;
  }
};

}  // namespace cardan
