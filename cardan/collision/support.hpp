// Support mapping of convex cores: the point farthest along a direction, and how it moves with the direction.
// With h(n) = max over the core of n . x: the support point is the gradient of h, and the Hessian H of h is the matrix
// of its radii of curvature (zero along n, zero at vertices).
#pragma once

#include "cardan/collision/solid.hpp"
#include "cardan/math/matrix.hpp"

#include <cmath>

namespace cardan::collision {

struct SupportPoint {
  Vec3<double> x;
  int vertex = -1;  // of a polyhedron; -1 on curved parts
};

/// Climbs from vertex to better neighbor; `start` is any vertex, best the last answer.
inline int support_vertex(const Hull& hull, const Vec3<double>& n, int start) {
  const auto value = [&](int i) { return dot(n, hull.vertices[static_cast<std::size_t>(i)]); };
  int best = start;
  double most = value(best);
  for (bool better = true; better;) {
    better = false;
    const Hull::Range range = hull.neighbors_of[static_cast<std::size_t>(best)];
    for (int k = 0; k < range.count; ++k) {
      const int other = hull.neighbors[static_cast<std::size_t>(range.begin + k)];
      if (const double v = value(other); v > most) {
        most = v;
        best = other;
        better = true;
      }
    }
  }
  return best;
}

/// The place of a polyhedron's vertex by its number in SupportPoint.
inline Vec3<double> vertex_place(const Solid& s, int vertex) {
  switch (s.kind) {
    case Kind::capsule: return vertex == 0 ? -s.half : s.half;
    case Kind::box:
      return {(vertex & 1) != 0 ? s.half[0] : -s.half[0], (vertex & 2) != 0 ? s.half[1] : -s.half[1],
              (vertex & 4) != 0 ? s.half[2] : -s.half[2]};
    case Kind::hull: return s.hull->vertices[static_cast<std::size_t>(vertex)];
    case Kind::triangle: return s.corner[vertex];
    default: return {};
  }
}

/// n need not be of unit length. `hint`: the last vertex of a hull, updated.
CARDAN_INLINE SupportPoint support(const Solid& s, const Vec3<double>& n, int& hint) {
  switch (s.kind) {
    case Kind::capsule: return n[2] < 0.0 ? SupportPoint{{0.0, 0.0, -s.half[2]}, 0} : SupportPoint{s.half, 1};
    case Kind::box:
      return {{std::copysign(s.half[0], n[0]), std::copysign(s.half[1], n[1]), std::copysign(s.half[2], n[2])},
              (std::signbit(n[0]) ? 0 : 1) + (std::signbit(n[1]) ? 0 : 2) + (std::signbit(n[2]) ? 0 : 4)};
    case Kind::cylinder: {
      const double rho = std::sqrt(n[0] * n[0] + n[1] * n[1]), z = std::copysign(s.half[2], n[2]);
      if (!(rho > 0.0)) return {{0.0, 0.0, z}, -1};
      return {{s.half[0] * n[0] / rho, s.half[0] * n[1] / rho, z}, -1};
    }
    case Kind::ellipsoid: {
      const Vec3<double> d{s.half[0] * n[0], s.half[1] * n[1], s.half[2] * n[2]};
      const double length = norm(d);
      if (!(length > 0.0)) return {{0.0, 0.0, s.half[2]}, -1};
      return {{s.half[0] * d[0] / length, s.half[1] * d[1] / length, s.half[2] * d[2] / length}, -1};
    }
    case Kind::hull:
      hint = support_vertex(*s.hull, n, hint);
      return {s.hull->vertices[static_cast<std::size_t>(hint)], hint};
    case Kind::triangle: {
      int best = 0;
      double most = dot(n, s.corner[0]);
      for (int k = 1; k < 3; ++k)
        if (const double v = dot(n, s.corner[k]); v > most) {
          most = v;
          best = k;
        }
      return {s.corner[best], best};
    }
    default: return {{0.0, 0.0, 0.0}, 0};
  }
}

/// Radii of curvature of the core at the support point of the unit vector n: H of the comment on top, applied to t.
inline Vec3<double> curvature_radii(const Solid& s, const Vec3<double>& n, const Vec3<double>& t) {
  if (s.kind == Kind::cylinder) {
    const double rho2 = n[0] * n[0] + n[1] * n[1];
    if (!(rho2 > 0.0)) return {};
    const double along = (n[0] * t[1] - n[1] * t[0]) * s.half[0] / (rho2 * std::sqrt(rho2));
    return {-n[1] * along, n[0] * along, 0.0};
  }
  if (s.kind == Kind::ellipsoid) {
    // H = D (1 - u u') D / |D n|, u = D n / |D n|: without cancellation
    const Vec3<double> d{s.half[0] * n[0], s.half[1] * n[1], s.half[2] * n[2]},
        e{s.half[0] * t[0], s.half[1] * t[1], s.half[2] * t[2]};
    const double length = norm(d);
    const Vec3<double> across = e - (dot(d, e) / (length * length)) * d;
    return {s.half[0] * across[0] / length, s.half[1] * across[1] / length, s.half[2] * across[2] / length};
  }
  return {};
}

}  // namespace cardan::collision
