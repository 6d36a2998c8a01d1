// How far what an element touches is displaced on dual numbers, in the order of the rows of a Tangent: a twist of each
// body in its own coordinates, then the coordinates that belong to velocities.
#pragma once

#include "cardan/forces/force.hpp"

#include <vector>

namespace cardan::detail {

/// The twist by which a body moves in one direction, in its own coordinates, from the dual part of its transform.
template <int N>
MotionVector<double> twist(const Transform<Dual<N>>& X, int direction) {
  const auto value = [](const Dual<N>& x) { return x.value; };
  const auto rate = [direction](const Dual<N>& x) { return x.d[direction]; };
  MotionVector<double> out;
  // d(E E') = -[w]x
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int c = 0; c < 3; ++c) out.angular[k] -= rate(X.E(j, c)) * value(X.E(i, c));
    for (int c = 0; c < 3; ++c) out.linear[k] += value(X.E(k, c)) * rate(X.r[c]);
  }
  return out;
}

/// Displacements from an instant and velocities of what an element touches.
struct DualMotion {
  std::vector<Dual8> displacement, velocity;  // a displacement is zero but for its dual part

  DualMotion(const Instant& here, const InstantOf<Dual8>& at, const Touches& touches) {
    for (const int body : touches.bodies) {
      MotionVector<Dual8> x;
      for (int k = 0; k < 8; ++k) {
        const MotionVector<double> m = twist(at.X_0(body), k);
        for (int c = 0; c < 6; ++c) x[c].d[k] = m[c];
      }
      for (int c = 0; c < 6; ++c) displacement.push_back(x[c]);
      for (int c = 0; c < 6; ++c) velocity.push_back(at.velocity(body)[c]);
    }
    for (const int k : touches.velocities) {
      const int body = at.model.body_of_dof(k);
      const Link& link = at.model.link(body);
      const std::vector<Dual8> from(here.q.data() + link.q, here.q.data() + link.q + link.nq);
      std::vector<Dual8> x(static_cast<std::size_t>(link.nv));
      at.model.joint(body).difference(from.data(), at.q.data() + link.q, x.data());
      displacement.push_back(x[static_cast<std::size_t>(k - link.v)]);
      displacement.back().value = 0.0;
      velocity.push_back(at.v[k]);
    }
  }
};

}  // namespace cardan::detail
