// Two convex cores, seen from the frame of the first: the points of their Minkowski difference a - b, and the function
// that all of collision maximizes. For a unit vector n from a to b,
//   s(n) = n . (b - a), a and b the support points of n and -n,
// is how far the planes of support are apart; the signed distance of the cores is the maximum of s over all n.
#pragma once

#include "cardan/collision/support.hpp"
#include "cardan/spatial/se3.hpp"

#include <algorithm>

namespace cardan::collision {

struct DifferencePoint {
  Vec3<double> w, a, b;  // w = a - b
  int vertex_a = -1, vertex_b = -1;

  /// Tells whether both are the same pair of vertices, or the same points of curved parts.
  bool same(const DifferencePoint& o) const {
    const bool same_a = vertex_a >= 0 ? vertex_a == o.vertex_a : a[0] == o.a[0] && a[1] == o.a[1] && a[2] == o.a[2];
    const bool same_b = vertex_b >= 0 ? vertex_b == o.vertex_b : b[0] == o.b[0] && b[1] == o.b[1] && b[2] == o.b[2];
    return same_a && same_b;
  }
};

struct CorePair {
  CorePair(const Solid& first, const Solid& second, const Pose<double>& b_in_a, double size)
      : a(first), b(second), X(b_in_a), scale(size) {}

  const Solid& a;
  const Solid& b;
  Pose<double> X;  // of b in the frame of a
  double scale;    // what tolerances refer to: size of the cores
  int hint_a = 0, hint_b = 0;
  int simplex = 0;  // pairs of vertices to begin with, of polyhedra; afterwards those that were nearest
  int vertex_a[3] = {}, vertex_b[3] = {};

  /// The point of a - b of two vertices.
  DifferencePoint of_vertices(int on_a, int on_b) const {
    const Vec3<double> p = vertex_place(a, on_a), q = X * vertex_place(b, on_b);
    return {p - q, p, q, on_a, on_b};
  }
  CARDAN_INLINE SupportPoint of_a(const Vec3<double>& n) { return support(a, n, hint_a); }
  /// In the frame of a.
  CARDAN_INLINE SupportPoint of_b(const Vec3<double>& n) {
    SupportPoint out = support(b, transpose_apply(X.R, n), hint_b);
    out.x = X * out.x;
    return out;
  }
  /// The point of a - b that is farthest along n.
  CARDAN_INLINE DifferencePoint farthest(const Vec3<double>& n) {
    const SupportPoint of_first = of_a(n), of_second = of_b(-n);
    return {of_first.x - of_second.x, of_first.x, of_second.x, of_first.vertex, of_second.vertex};
  }
  CARDAN_INLINE double separation(const Vec3<double>& n) { return -dot(n, farthest(n).w); }
  bool is_curved() const { return a.is_curved() || b.is_curved(); }
};

CARDAN_INLINE Vec3<double> unit(const Vec3<double>& v) { return (1.0 / norm(v)) * v; }

/// A unit vector perpendicular to the unit vector n.
inline Vec3<double> perpendicular(const Vec3<double>& n) {
  const double x = std::abs(n[0]), y = std::abs(n[1]), z = std::abs(n[2]);
  const Vec3<double> axis = x <= y && x <= z ? Vec3<double>{1.0, 0.0, 0.0}
                            : y <= z         ? Vec3<double>{0.0, 1.0, 0.0}
                                             : Vec3<double>{0.0, 0.0, 1.0};
  return unit(cross(n, axis));
}

}  // namespace cardan::collision
