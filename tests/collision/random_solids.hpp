// Random solids and poses, and what is known of a solid without the library: whether a point is inside, how far it
// reaches along a direction.
#pragma once

#include "cardan/collision/internal/core_pair.hpp"
#include "cardan/collision/solid.hpp"
#include "cardan/math/so3.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace cardan::test {

using collision::Kind;
using collision::Solid;

class SolidMaker {
 public:
  explicit SolidMaker(std::uint64_t seed) : random_(seed) {}

  double number(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random_() >> 11), -53);
  }
  int integer(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v{number(-1, 1), number(-1, 1), number(-1, 1)};
      if (const double length = norm(v); length > 0.1 && length < 1.0) return (1.0 / length) * v;
    }
  }
  Mat3<double> rotation() { return exp_so3(number(0.0, 3.14) * direction()); }
  Pose<double> pose(double reach) { return {rotation(), number(0.0, reach) * direction()}; }

  Solid hull(int points) {
    std::vector<Vec3<double>> cloud;
    for (int i = 0; i < points; ++i) cloud.push_back(number(0.3, 1.0) * direction());
    Solid out;
    out.kind = Kind::hull;
    out.hull = std::make_shared<const collision::Hull>(collision::convex_hull(cloud));
    return out;
  }
  /// 0.1 to 2 m across.
  Solid solid(Kind kind) {
    switch (kind) {
      case Kind::sphere: return collision::make_solid(Sphere{number(0.1, 1.0)});
      case Kind::capsule: return collision::make_solid(Capsule{number(0.1, 1.0), number(0.1, 2.0)});
      case Kind::box: return collision::make_solid(Box{number(0.1, 2.0), number(0.1, 2.0), number(0.1, 2.0)});
      case Kind::cylinder: return collision::make_solid(Cylinder{number(0.1, 1.0), number(0.1, 2.0)});
      case Kind::ellipsoid:
        return collision::make_solid(Ellipsoid{number(0.1, 1.0), number(0.1, 1.0), number(0.1, 1.0)});
      case Kind::torus: {
        const double major = number(0.3, 1.0);
        return collision::make_solid(Torus{major, number(0.05, 1.0) * major});
      }
      case Kind::plane: return collision::make_plane();
      default: return hull(6 + integer(50));
    }
  }

 private:
  std::mt19937_64 random_;
};

constexpr Kind kConvexKinds[] = {Kind::sphere, Kind::capsule, Kind::box, Kind::cylinder, Kind::ellipsoid, Kind::hull};

inline const char* kind_name(Kind kind) {
  constexpr const char* kNames[] = {"sphere", "capsule",  "box",   "cylinder", "ellipsoid",
                                    "hull",   "triangle", "torus", "plane",    "mesh"};
  return kNames[static_cast<int>(kind)];
}

/// How far a point, in the solid's frame, is outside it [m]; negative inside, zero on the surface. By what the solid
/// is.
inline double outside(const Solid& s, const Vec3<double>& x) {
  const double rho = std::hypot(x[0], x[1]);
  switch (s.kind) {
    case Kind::sphere: return norm(x) - s.radius;
    case Kind::capsule: return std::hypot(rho, std::max(0.0, std::abs(x[2]) - s.half[2])) - s.radius;
    case Kind::box:
      return std::max({std::abs(x[0]) - s.half[0], std::abs(x[1]) - s.half[1], std::abs(x[2]) - s.half[2]});
    case Kind::cylinder: return std::max(rho - s.half[0], std::abs(x[2]) - s.half[2]);
    case Kind::ellipsoid: {
      const Vec3<double> y{x[0] / s.half[0], x[1] / s.half[1], x[2] / s.half[2]};
      return (norm(y) - 1.0) * std::min({s.half[0], s.half[1], s.half[2]});
    }
    case Kind::torus: return std::hypot(rho - s.half[0], x[2]) - s.radius;
    case Kind::plane: return x[2];
    default: {
      double most = -1e300;
      for (const auto& face : s.hull->faces) most = std::max(most, dot(face.normal, x) - face.offset);
      return most;
    }
  }
}

/// h(n) = max of n . x over a convex solid, n in its frame and of unit length.
inline double reach(const Solid& s, const Vec3<double>& n) {
  switch (s.kind) {
    case Kind::sphere: return s.radius;
    case Kind::capsule: return s.radius + s.half[2] * std::abs(n[2]);
    case Kind::box: return s.half[0] * std::abs(n[0]) + s.half[1] * std::abs(n[1]) + s.half[2] * std::abs(n[2]);
    case Kind::cylinder: return s.half[0] * std::hypot(n[0], n[1]) + s.half[2] * std::abs(n[2]);
    case Kind::ellipsoid: return std::hypot(s.half[0] * n[0], s.half[1] * n[1], s.half[2] * n[2]);
    default: {
      double most = -1e300;
      for (const auto& v : s.hull->vertices) most = std::max(most, dot(n, v));
      return most;
    }
  }
}

/// Distance between the planes of support of two convex solids that are perpendicular to n, from a to b.
inline double separation(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                         const Vec3<double>& n) {
  return dot(n, at_b.p - at_a.p) - reach(a, transpose_apply(at_a.R, n)) - reach(b, transpose_apply(at_b.R, -n));
}

}  // namespace cardan::test
