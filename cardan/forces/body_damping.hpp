// Viscous damping of a body: wrench = -c (omega, v), six coefficients for the angular and linear velocity of a frame's
// origin, in the frame's axes. D = -diag c there.
#pragma once

#include "cardan/forces/force_of.hpp"

#include <array>

namespace cardan {

struct BodyDamping {
  std::string label;
  int body = 0;
  Transform<double> X = Transform<double>::identity();  // from the body's internal frame to the frame
  std::array<double, 6> coefficients{};                 // N m s/rad, N s/m

  std::string name() const { return "damping \"" + label + "\""; }
  Touches touches() const { return {.bodies = {body}}; }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    const Transform<T> to_frame = as<T>(X);
    const MotionVector<T> v = to_frame * at.velocity(body);
    ForceVector<T> f;
    for (int c = 0; c < 6; ++c) f[c] = T(-coefficients[static_cast<std::size_t>(c)]) * v[c];
    pushes.body(body) += transpose_apply(to_frame, f);
  }
};

}  // namespace cardan
