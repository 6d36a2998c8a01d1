// What collision knows of a shape: a kind, a few lengths, and for polyhedra shared data that never change. A sphere is
// a point with a rounding radius, a capsule a segment with one, a torus its center circle with one: what is rounded is
// the core. A plane fills z <= 0 of its frame.
#pragma once

#include "cardan/collision/hull.hpp"
#include "cardan/collision/triangle_mesh.hpp"
#include "cardan/model/shape.hpp"

#include <memory>

namespace cardan::collision {

enum class Kind : unsigned char { sphere, capsule, box, cylinder, ellipsoid, hull, triangle, torus, plane, mesh };

struct Solid {
  Kind kind = Kind::sphere;
  double radius = 0.0;  // rounding radius: sphere, capsule, tube of a torus
  /// Half edges of a box, (0, 0, half length) of a capsule, (radius, radius, half length) of a cylinder, semi-axes of
  /// an ellipsoid, (center circle's radius, 0, 0) of a torus.
  Vec3<double> half{};
  Vec3<double> corner[3] = {};  // of a triangle
  std::shared_ptr<const Hull> hull{};
  std::shared_ptr<const TriangleMesh> mesh{};

  bool is_convex() const { return kind < Kind::torus; }
  /// A core with curved parts: closest features need Newton's method.
  bool is_curved() const { return kind == Kind::cylinder || kind == Kind::ellipsoid; }
};

/// Lengths in meters, all positive: validate() of cardan/model/shape.hpp checks.
/// A mesh becomes its convex hull where `hull` says so or where it is convex already.
/// Throws std::runtime_error, one line, for shapes that cannot collide: a mesh without triangles, a flat hull.
Solid make_solid(const Shape& shape, bool hull = false);

inline Solid make_plane() {
  Solid out;
  out.kind = Kind::plane;
  return out;
}
inline Solid make_triangle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  Solid out;
  out.kind = Kind::triangle;
  out.corner[0] = a;
  out.corner[1] = b;
  out.corner[2] = c;
  return out;
}

/// Radius of a ball about the frame's origin that contains the solid; infinite for a plane.
double bounding_radius(const Solid& solid);

/// Half edges of the box along the axes of the parent frame that contains the solid, and its center there: for a frame
/// with orientation R (columns: axes in the parent) and position p.
struct Bounds {
  Vec3<double> low, high;
};
Bounds bounds(const Solid& solid, const Mat3<double>& R, const Vec3<double>& p);

/// Size of the solid that tolerances of its contacts refer to: its smallest thickness.
double thickness(const Solid& solid);

}  // namespace cardan::collision
