#include "cardan/collision/solid.hpp"

#include "cardan/collision/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cardan::collision {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kFar = 1e300;  // for boxes, whose ends are added and subtracted

Solid with_lengths(Kind kind, const Vec3<double>& half, double radius = 0.0) {
  Solid out;
  out.kind = kind;
  out.half = half;
  out.radius = radius;
  return out;
}

Solid hull_solid(Hull hull) {
  Solid out;
  out.kind = Kind::hull;
  out.hull = std::make_shared<const Hull>(std::move(hull));
  return out;
}

/// Volume that the triangles enclose, by the divergence theorem about their first corner.
double enclosed_volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  const Vec3<double> origin = mesh.corner(0, 0);
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    sum += dot(mesh.corner(t, 0) - origin, cross(mesh.corner(t, 1) - origin, mesh.corner(t, 2) - origin)) / 6.0;
  return sum;
}

Solid mesh_solid(const Mesh& mesh, bool hull) {
  TriangleMesh triangles = make_triangle_mesh(mesh);
  if (hull) return hull_solid(convex_hull(triangles.vertices));
  if (triangles.closed) {  // one that is convex is its hull, which is quicker
    try {
      Hull whole = convex_hull(triangles.vertices);
      if (std::abs(enclosed_volume(triangles) - whole.volume) <= 1e-9 * whole.volume)
        return hull_solid(std::move(whole));
    } catch (const std::runtime_error&) {  // flat: stays a mesh
    }
  }
  Solid out;
  out.kind = Kind::mesh;
  out.mesh = std::make_shared<const TriangleMesh>(std::move(triangles));
  return out;
}

}  // namespace

Solid make_solid(const Shape& shape, bool hull) {
  struct Make {
    bool hull;
    Solid operator()(const Box& s) const { return with_lengths(Kind::box, {s.x / 2, s.y / 2, s.z / 2}); }
    Solid operator()(const Sphere& s) const { return with_lengths(Kind::sphere, {}, s.radius); }
    Solid operator()(const Cylinder& s) const {
      return with_lengths(Kind::cylinder, {s.radius, s.radius, s.length / 2});
    }
    Solid operator()(const Capsule& s) const { return with_lengths(Kind::capsule, {0.0, 0.0, s.length / 2}, s.radius); }
    Solid operator()(const Ellipsoid& s) const { return with_lengths(Kind::ellipsoid, {s.x, s.y, s.z}); }
    Solid operator()(const Torus& s) const { return with_lengths(Kind::torus, {s.major, 0.0, 0.0}, s.minor); }
    Solid operator()(const Mesh& s) const { return mesh_solid(s, hull); }
  };
  return std::visit(Make{hull}, shape);
}

double bounding_radius(const Solid& s) {
  switch (s.kind) {
    case Kind::plane: return kEndless;
    case Kind::torus: return s.half[0] + s.radius;
    case Kind::ellipsoid: return std::max({s.half[0], s.half[1], s.half[2]});
    case Kind::cylinder: return std::hypot(s.half[0], s.half[2]);
    case Kind::hull:
    case Kind::mesh: {
      double most = 0.0;
      for (const auto& v : s.kind == Kind::hull ? s.hull->vertices : s.mesh->vertices) most = std::max(most, norm(v));
      return most;
    }
    case Kind::triangle: return std::max({norm(s.corner[0]), norm(s.corner[1]), norm(s.corner[2])});
    default: return norm(s.half) + s.radius;
  }
}

Bounds bounds(const Solid& s, const Mat3<double>& R, const Vec3<double>& p) {
  Bounds out;
  if (s.kind == Kind::plane) {
    out.low = {-kFar, -kFar, -kFar};
    out.high = {kFar, kFar, kFar};
    return out;
  }
  if (s.kind == Kind::mesh) {  // the box of its box
    const AxisBox& box = s.mesh->tree.bounds();
    const Vec3<double> center = R * (0.5 * (box.low + box.high)) + p, half = 0.5 * (box.high - box.low);
    for (int k = 0; k < 3; ++k) {
      const double extent =
          s.mesh->fills_below ? kFar
                              : std::abs(R(k, 0)) * half[0] + std::abs(R(k, 1)) * half[1] + std::abs(R(k, 2)) * half[2];
      out.low[k] = center[k] - extent;
      out.high[k] = center[k] + extent;
    }
    return out;
  }
  int hint = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis = R.row[k];
    double up = 0.0, down = 0.0;
    if (s.kind == Kind::torus) {
      up = down = s.half[0] * std::sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    } else {
      up = dot(axis, support(s, axis, hint).x);
      down = -dot(axis, support(s, -axis, hint).x);
    }
    out.low[k] = p[k] - down - s.radius;
    out.high[k] = p[k] + up + s.radius;
  }
  return out;
}

double thickness(const Solid& s) {
  switch (s.kind) {
    case Kind::plane: return kEndless;
    case Kind::box:
    case Kind::cylinder:
    case Kind::ellipsoid: return 2.0 * std::min({s.half[0], s.half[1], s.half[2]});
    case Kind::hull: return 2.0 * s.hull->inradius;
    case Kind::sphere:
    case Kind::capsule:
    case Kind::torus: return 2.0 * s.radius;
    default: return 0.0;
  }
}

}  // namespace cardan::collision
