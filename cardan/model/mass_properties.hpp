// Mass, center of mass and inertia of a body: combining several, moving them to another frame, and whether a real
// body can have them.
#pragma once

#include "cardan/math/matrix.hpp"

#include <optional>
#include <string>

namespace cardan {

struct MassProperties {
  double mass = 0;
  Vec3<double> com;      // in the frame of the body
  Sym3<double> inertia;  // about the center of mass, in the axes of that frame
};

/// Adds up two bodies rigidly joined, both given in the same frame.
MassProperties combine(const MassProperties& a, const MassProperties& b);

/// Expresses a body in the parent of its frame: R takes its coordinates to the parent's, p is its origin there.
MassProperties to_parent(const MassProperties& body, const Mat3<double>& R, const Vec3<double>& p);

/// Inertia about the origin of the frame instead of the center of mass (parallel axes).
Sym3<double> inertia_about_origin(const MassProperties& body);

/// The principal moments of inertia in ascending order.
Vec3<double> principal_moments(const Sym3<double>& inertia);

/// What is wrong in one phrase, or nothing: every number finite, mass >= 0, no negative principal moment, and none
/// larger than the sum of the other two. The tolerance is relative to the largest moment.
std::optional<std::string> non_physical_reason(const MassProperties& body, double tolerance = 1e-9);

inline bool is_physical(const MassProperties& body, double tolerance = 1e-9) {
  return !non_physical_reason(body, tolerance);
}

}  // namespace cardan
