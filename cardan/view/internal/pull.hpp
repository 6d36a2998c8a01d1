// A spring and damper by which the user pulls at a point of a body: x the point, y where the user holds it,
//   force on the body = k (y - x) - c dx/dt.
#pragma once

#include "cardan/forces/force_of.hpp"

namespace cardan::view {

struct Pull {
  int body = 0;
  Vec3<double> at;                        // in the body's internal frame
  double stiffness = 0.0, damping = 0.0;  // N/m, N s/m
  int target = 0;                         // the first of three inputs: y, in the world

  std::string name() const { return "the user's pull"; }
  Touches touches() const { return {.bodies = {body}}; }

  template <class T>
  void add(const InstantOf<T>& instant, PushesOf<T>& pushes) const {
    const Vec3<T> x(at);
    const Vec3<T> y{instant.u[target], instant.u[target + 1], instant.u[target + 2]};
    const Vec3<T> force = T(stiffness) * (y - instant.position(body, x)) - T(damping) * instant.point_velocity(body, x);
    const Vec3<T> own = rotate(instant.X_0(body).E, force);
    pushes.body(body) += ForceVector<T>{cross(x, own), own};
  }
};

}  // namespace cardan::view
