// Drag of a fluid on a body as on a box b of its size (MuJoCo's model by inertia), at the box's center and along its
// axes, with d the mean of its edges and v the velocity against the fluid:
//   viscous  f = -3 pi d beta v,  m = -pi d^3 beta omega
//   inertial f_i = -rho/2 b_j b_k |v_i| v_i,  m_i = -rho/64 b_i (b_j^4 + b_k^4) |omega_i| omega_i
#pragma once

#include "cardan/forces/force_of.hpp"
#include "cardan/program/interpreter.hpp"

#include <array>
#include <numbers>

namespace cardan {

struct FluidDrag {
  std::string label;
  int body = 0;
  Transform<double> X = Transform<double>::identity();  // from the body's internal frame to the box's
  std::array<double, 3> box{};                          // edges, m
  double density = 0.0, viscosity = 0.0;                // kg/m^3, Pa s
  Vec3<double> wind{};                                  // velocity of the fluid in the world, m/s

  std::string name() const { return "fluid \"" + label + "\""; }
  Touches touches() const { return {.bodies = {body}}; }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    const Transform<T> to_box = as<T>(X);
    MotionVector<T> v = to_box * at.velocity(body);
    v.linear -= to_box.E * (at.X_0(body).E * Vec3<T>(wind));
    const double mean = (box[0] + box[1] + box[2]) / 3.0;
    const T along(3.0 * std::numbers::pi * mean * viscosity), about(std::numbers::pi * mean * mean * mean * viscosity);
    ForceVector<T> f{-about * v.angular, -along * v.linear};
    for (int i = 0; i < 3; ++i) {
      const double b = box[static_cast<std::size_t>(i)], c = box[static_cast<std::size_t>((i + 1) % 3)],
                   d = box[static_cast<std::size_t>((i + 2) % 3)];
      f.force[i] -= T(0.5 * density * c * d) * program::absolute(v.linear[i]) * v.linear[i];
      f.moment[i] -=
          T(density * b * (c * c * c * c + d * d * d * d) / 64.0) * program::absolute(v.angular[i]) * v.angular[i];
    }
    pushes.body(body) += transpose_apply(to_box, f);
  }
};

}  // namespace cardan
