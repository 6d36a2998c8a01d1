// A spring and damper by which the user pulls at a point of a body: x the point, y where the user holds it,
//   force on the body = k (y - x) - c dx/dt.
#pragma once

#include "cardan/forces/force_of.hpp"

#include <memory>

namespace cardan::view {

struct Pull {
  int body = 0;
  Vec3<double> at;                                  // in the body's internal frame
  double stiffness = 0.0, damping = 0.0;            // N/m, N s/m
  std::shared_ptr<const Vec3<double>> target = {};  // in the world; may change between steps

  std::string name() const { return "the user's pull"; }
  Touches touches() const { return {.bodies = {body}}; }

  template <class T>
  void add(const InstantOf<T>& instant, PushesOf<T>& pushes) const {
    const Vec3<T> x(at);
    const Vec3<T> force =
        T(stiffness) * (Vec3<T>(*target) - instant.position(body, x)) - T(damping) * instant.point_velocity(body, x);
    const Vec3<T> own = rotate(instant.X_0(body).E, force);
    pushes.body(body) += ForceVector<T>{cross(x, own), own};
  }
};

}  // namespace cardan::view
