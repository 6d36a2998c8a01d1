#include "cardan/collision/internal/nearest_parts.hpp"

#include <limits>

namespace cardan::collision {
namespace {

/// Contact of a point with a solid whose boundary is at `surface`, at signed distance `gap` along the outward normal.
LocalContact from_outward(const Vec3<double>& x, const Vec3<double>& outward, double gap, const Feature& feature) {
  LocalContact out;
  out.n = -outward;
  out.gap = gap;
  out.a = x;
  out.b = x - gap * outward;
  out.feature_b = feature;
  return out;
}

LocalContact point_to_box(const Vec3<double>& x, const Solid& s) {
  Vec3<double> excess;
  int outside = 0, last = 0, nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const double beyond = std::abs(x[k]) - s.half[k];
    if (beyond > 0.0) {
      excess[k] = std::copysign(beyond, x[k]);
      ++outside;
    } else {
      last = k;
      if (-beyond < least) {
        least = -beyond;
        nearest = k;
      }
    }
  }
  if (outside >= 2) {
    const double distance = norm(excess);
    Feature feature;
    if (outside == 2) {
      feature.dimension = 1;
      feature.e[last] = 1.0;
    }
    return from_outward(x, (1.0 / distance) * excess, distance, feature);
  }
  if (outside == 1)
    for (int k = 0; k < 3; ++k)
      if (excess[k] != 0.0) {
        nearest = k;
        least = -std::abs(excess[k]);
      }
  Vec3<double> outward;
  outward[nearest] = std::copysign(1.0, x[nearest]);
  return from_outward(x, outward, -least, {2, outward});
}

LocalContact point_to_cylinder(const Vec3<double>& x, const Solid& s) {
  const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]), side = rho - s.half[0], cap = std::abs(x[2]) - s.half[2];
  const Vec3<double> radial = rho > 0.0 ? Vec3<double>{x[0] / rho, x[1] / rho, 0.0} : Vec3<double>{1.0, 0.0, 0.0};
  const Vec3<double> up{0.0, 0.0, std::copysign(1.0, x[2])};
  if (side > 0.0 && cap > 0.0) {
    const double distance = std::sqrt(side * side + cap * cap);
    return from_outward(x, (side / distance) * radial + (cap / distance) * up, distance, {});
  }
  if (side > cap) return from_outward(x, radial, side, {1, {0.0, 0.0, 1.0}});
  return from_outward(x, up, cap, {2, up});
}

LocalContact point_to_capsule(const Vec3<double>& x, const Solid& s) {
  const double z = std::clamp(x[2], -s.half[2], s.half[2]);
  const Vec3<double> d{x[0], x[1], x[2] - z};
  const double distance = norm(d);
  const Vec3<double> outward = distance > 0.0 ? (1.0 / distance) * d : Vec3<double>{1.0, 0.0, 0.0};
  const bool side = std::abs(x[2]) < s.half[2];
  return from_outward(x, outward, distance - s.radius, side ? Feature{1, {0.0, 0.0, 1.0}} : Feature{});
}

}  // namespace

LocalContact nearest_to_point(const Vec3<double>& x, const Solid& b, Vec3<double>& guess) {
  switch (b.kind) {
    case Kind::sphere:
    case Kind::capsule: return point_to_capsule(x, b);
    case Kind::box: return point_to_box(x, b);
    case Kind::cylinder: return point_to_cylinder(x, b);
    default: break;
  }
  Solid point;
  PairMemory memory;
  memory.known = dot(guess, guess) > 0.0;
  memory.n = guess;
  LocalContact out = nearest_convex(point, b, {Mat3<double>::identity(), -x}, memory);
  guess = out.n;
  out.a += x;
  out.b += x;
  return out;
}

}  // namespace cardan::collision
