// Continuous collision: when two solids that move steadily touch first.
#pragma once

#include "cardan/collision/contact.hpp"

#include <optional>

namespace cardan::collision {

/// A pose and a motion that keeps its velocities: R(t) = exp(t w) R, p(t) = p + t v, world axes.
struct SteadyMotion {
  Pose<double> at;
  Vec3<double> angular_velocity, velocity;

  Pose<double> after(double t) const;
};

struct Impact {
  double time = 0.0;  // [s]; 0 where they touch or overlap at once
  Contact contact;    // then
};

/// Finds the first time up to `duration` at which the gap falls to zero, by conservative advancement (Mirtich 1996): a
/// step is never longer than the gap divided by the fastest approach along the normal. The gap found is 1e-12 m or less
/// beyond zero on either side for solids of the size of meters. Nothing where they do not meet.
std::optional<Impact> first_impact(const Solid& a, const SteadyMotion& of_a, const Solid& b, const SteadyMotion& of_b,
                                   double duration);

}  // namespace cardan::collision
