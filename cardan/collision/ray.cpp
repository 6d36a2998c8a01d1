// Convex solids: from a point outside go on to the plane of support that faces it; where the ray leaves that plane's
// side, it misses. Planes of support are never beyond the surface, so the way is never too long, and it is Newton's
// method where the surface is smooth. A torus lets go as far as it is away.
#include "cardan/collision/ray.hpp"

#include "cardan/collision/internal/nearest_parts.hpp"

namespace cardan::collision {
namespace {

constexpr double kOnSurface = 1e-13;  // of the size

std::optional<RayHit> cast_at_convex(const Ray& ray, const Solid& s) {
  const double tolerance = kOnSurface * (core_size(s) + s.radius + norm(ray.origin));
  double t = 0.0;
  Vec3<double> guess;
  constexpr int kMostIterations = 200;
  for (int i = 0; i < kMostIterations; ++i) {
    const Vec3<double> x = ray.origin + t * ray.direction;
    const LocalContact c = nearest_to_point(x, s, guess);
    const Vec3<double> outward = -c.n;
    if (c.gap <= tolerance) return RayHit{t, x, t > 0.0 ? outward : -ray.direction};
    const double closing = -dot(outward, ray.direction);
    if (!(closing > 0.0)) return {};
    t += c.gap / closing;
    if (!(t <= ray.length)) return {};
  }
  return {};  // grazes: nearer and nearer without touching
}

std::optional<RayHit> cast_at_torus(const Ray& ray, const Solid& s) {
  const double tolerance = kOnSurface * (s.half[0] + s.radius + norm(ray.origin));
  double t = 0.0;
  constexpr int kMostIterations = 2000;
  for (int i = 0; i < kMostIterations && t <= ray.length; ++i) {
    const Vec3<double> x = ray.origin + t * ray.direction;
    const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    const Vec3<double> radial = rho > 0.0 ? Vec3<double>{x[0] / rho, x[1] / rho, 0.0} : Vec3<double>{1.0, 0.0, 0.0};
    const Vec3<double> from_circle = x - s.half[0] * radial;
    const double distance = norm(from_circle), gap = distance - s.radius;
    if (gap <= tolerance) return RayHit{t, x, t > 0.0 ? (1.0 / distance) * from_circle : -ray.direction};
    t += gap;
  }
  return {};
}

std::optional<RayHit> cast_at_plane(const Ray& ray) {
  if (ray.origin[2] <= 0.0) return RayHit{0.0, ray.origin, -ray.direction};
  if (!(ray.direction[2] < 0.0)) return {};
  const double t = -ray.origin[2] / ray.direction[2];
  if (!(t <= ray.length)) return {};
  return RayHit{t, ray.origin + t * ray.direction, {0.0, 0.0, 1.0}};
}

/// Both sides of a triangle stop a ray (Moeller and Trumbore 1997).
std::optional<RayHit> cast_at_triangle(const Ray& ray, const Vec3<double>& a, const Vec3<double>& b,
                                       const Vec3<double>& c) {
  const Vec3<double> e = b - a, f = c - a, p = cross(ray.direction, f);
  const double det = dot(e, p);
  if (!(std::abs(det) > 0.0)) return {};
  const Vec3<double> s = ray.origin - a, q = cross(s, e);
  const double u = dot(s, p) / det, v = dot(ray.direction, q) / det, t = dot(f, q) / det;
  if (!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t <= ray.length)) return {};
  const Vec3<double> n = unit(cross(e, f));
  return RayHit{t, ray.origin + t * ray.direction, dot(n, ray.direction) > 0.0 ? -n : n};
}

std::optional<RayHit> cast_at_mesh(Ray ray, const TriangleMesh& mesh) {
  std::optional<RayHit> best;
  const auto crosses = [&](const AxisBox& box) {
    double from = 0.0, to = ray.length;
    for (int k = 0; k < 3; ++k) {
      const double inverse = 1.0 / ray.direction[k];
      const double p = (box.low[k] - ray.origin[k]) * inverse, q = (box.high[k] - ray.origin[k]) * inverse;
      if (ray.direction[k] == 0.0) {
        if (ray.origin[k] < box.low[k] || ray.origin[k] > box.high[k]) return false;
        continue;
      }
      from = std::max(from, std::min(p, q));
      to = std::min(to, std::max(p, q));
    }
    return from <= to * (1.0 + 1e-12);
  };
  mesh.tree.walk(crosses, [&](int t) {
    const auto hit = cast_at_triangle(ray, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
    if (!hit) return;
    best = hit;
    ray.length = hit->distance;
  });
  return best;
}

}  // namespace

std::optional<RayHit> cast_ray(const Ray& ray, const Solid& solid, const Pose<double>& at) {
  const Ray local{transpose_apply(at.R, ray.origin - at.p), transpose_apply(at.R, ray.direction), ray.length};
  std::optional<RayHit> hit;
  switch (solid.kind) {
    case Kind::plane: hit = cast_at_plane(local); break;
    case Kind::torus: hit = cast_at_torus(local, solid); break;
    case Kind::mesh: hit = cast_at_mesh(local, *solid.mesh); break;
    case Kind::triangle: hit = cast_at_triangle(local, solid.corner[0], solid.corner[1], solid.corner[2]); break;
    default: hit = cast_at_convex(local, solid); break;
  }
  if (!hit) return hit;
  hit->point = at * hit->point;
  hit->normal = at.R * hit->normal;
  return hit;
}

}  // namespace cardan::collision
