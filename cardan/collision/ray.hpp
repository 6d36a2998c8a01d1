// Where a ray meets a solid first.
#pragma once

#include "cardan/collision/solid.hpp"
#include "cardan/spatial/se3.hpp"

#include <optional>

namespace cardan::collision {

struct Ray {
  Vec3<double> origin, direction;  // of unit length
  double length = 0.0;             // [m]: farther hits do not count
};

struct RayHit {
  double distance = 0.0;       // along the ray; 0 where it begins inside
  Vec3<double> point, normal;  // on the surface, outward; at the origin, against the ray, where it begins inside
};

/// Casts the ray at a solid placed in the world.
std::optional<RayHit> cast_ray(const Ray& ray, const Solid& solid, const Pose<double>& at);

}  // namespace cardan::collision
