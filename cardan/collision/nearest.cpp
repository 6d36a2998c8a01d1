#include "cardan/collision/nearest.hpp"

#include "cardan/collision/internal/nearest_parts.hpp"

#include <stdexcept>

namespace cardan::collision {
namespace {

LocalContact nearest_pair(const Solid& a, const Solid& b, const Pose<double>& X, PairMemory& memory);

LocalContact exchanged_pair(const Solid& a, const Solid& b, const Pose<double>& X, PairMemory& memory) {
  PairMemory other = memory;
  other.n = -transpose_apply(X.R, memory.n);
  std::swap(other.hint_a, other.hint_b);
  other.simplex = 0;
  const Pose<double> back = inverse(X);
  const LocalContact found = nearest_pair(b, a, back, other);
  memory.hint_a = other.hint_b;
  memory.hint_b = other.hint_a;
  return exchanged(found, back);
}

LocalContact nearest_pair(const Solid& a, const Solid& b, const Pose<double>& X, PairMemory& memory) {
  if (a.is_convex() && b.is_convex()) return nearest_convex(a, b, X, memory);
  if (b.kind == Kind::plane) return nearest_to_plane(a, X, memory);
  if (a.kind == Kind::plane) return exchanged_pair(a, b, X, memory);
  if (b.kind == Kind::mesh && a.kind != Kind::mesh) return nearest_to_mesh(a, b, X);
  if (a.kind == Kind::mesh && b.kind != Kind::mesh) return exchanged_pair(a, b, X, memory);
  if (a.kind == Kind::torus) return nearest_of_torus(a, b, X);
  if (b.kind == Kind::torus) return exchanged_pair(a, b, X, memory);
  throw std::invalid_argument("collision: expected a pair with a convex solid, found two meshes");
}

}  // namespace

LocalContact exchanged(const LocalContact& c, const Pose<double>& X) {
  const Pose<double> back = inverse(X);
  LocalContact out;
  out.n = -(back.R * c.n);
  out.gap = c.gap;
  out.a = back * c.b;
  out.b = back * c.a;
  out.feature_a = c.feature_b;
  out.feature_b = c.feature_a;
  out.feature_a.e = back.R * c.feature_b.e;
  out.feature_b.e = back.R * c.feature_a.e;
  out.part_b = c.part_b;
  return out;
}

double core_size(const Solid& s) {
  switch (s.kind) {
    case Kind::hull: return 4.0 * s.hull->inradius + norm(s.hull->vertices[0] - s.hull->center);
    case Kind::triangle: return norm(s.corner[1] - s.corner[0]) + norm(s.corner[2] - s.corner[0]);
    default: return s.half[0] + s.half[1] + s.half[2];
  }
}

namespace {

bool has_closed_form_of_point(const Solid& s) { return s.kind == Kind::box || s.kind == Kind::cylinder; }

/// A sphere a against a box or cylinder: the signed distance of its center, less the radius.
LocalContact nearest_of_sphere(const Solid& a, const Solid& b, const Pose<double>& X) {
  Vec3<double> unused;
  const LocalContact center = nearest_to_point(-transpose_apply(X.R, X.p), b, unused);
  LocalContact out;
  out.n = X.R * center.n;
  out.gap = center.gap - a.radius;
  out.a = a.radius * out.n;
  out.b = out.a + out.gap * out.n;
  out.feature_b = center.feature_b;
  out.feature_b.e = X.R * center.feature_b.e;
  return out;
}

}  // namespace

LocalContact nearest_convex(const Solid& a, const Solid& b, const Pose<double>& X, PairMemory& memory) {
  if (a.kind == Kind::sphere && has_closed_form_of_point(b)) return nearest_of_sphere(a, b, X);
  if (b.kind == Kind::sphere && has_closed_form_of_point(a)) {
    const Pose<double> back = inverse(X);
    return exchanged(nearest_of_sphere(b, a, back), back);
  }
  if (a.kind <= Kind::capsule && b.kind <= Kind::capsule) return nearest_of_segments(a, b, X);
  CorePair pair(a, b, X, core_size(a) + core_size(b) + 1e-3 * norm(X.p));
  pair.hint_a = memory.hint_a;
  pair.hint_b = memory.hint_b;
  pair.simplex = memory.known && !pair.is_curved() ? memory.simplex : 0;
  for (int i = 0; i < pair.simplex; ++i) {
    pair.vertex_a[i] = memory.vertex_a[i];
    pair.vertex_b[i] = memory.vertex_b[i];
  }
  Vec3<double> guess = memory.known ? memory.n : X.p;
  if (!(dot(guess, guess) > 0.0)) guess = {0.0, 0.0, 1.0};
  const CoreContact core = core_contact(pair, guess, memory.known);
  memory.hint_a = pair.hint_a;
  memory.hint_b = pair.hint_b;
  memory.simplex = pair.simplex;
  for (int i = 0; i < pair.simplex; ++i) {
    memory.vertex_a[i] = pair.vertex_a[i];
    memory.vertex_b[i] = pair.vertex_b[i];
  }
  LocalContact out;
  out.n = core.n;
  out.gap = core.gap - (a.radius + b.radius);
  out.a = core.a + a.radius * core.n;
  out.b = core.b - b.radius * core.n;
  out.feature_a = core.feature_a;
  out.feature_b = core.feature_b;
  return out;
}

Contact nearest(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                PairMemory& memory) {
  const Pose<double> X{transpose(at_a.R) * at_b.R, transpose_apply(at_a.R, at_b.p - at_a.p)};
  const LocalContact c = nearest_pair(a, b, X, memory);
  memory.known = true;
  memory.n = c.n;
  Contact out;
  out.gap = c.gap;
  out.normal = at_a.R * c.n;
  out.point_a = at_a * c.a;
  out.point_b = out.point_a + c.gap * out.normal;
  out.feature_a = c.feature_a;
  out.feature_b = c.feature_b;
  out.feature_a.e = at_a.R * c.feature_a.e;
  out.feature_b.e = at_a.R * c.feature_b.e;
  (a.kind == Kind::mesh ? out.part_a : out.part_b) = c.part_b;
  return out;
}

bool are_finite(const Pose<double>& pose) {
  double sum = pose.p[0] + pose.p[1] + pose.p[2];
  for (int i = 0; i < 3; ++i) sum += pose.R(i, 0) + pose.R(i, 1) + pose.R(i, 2);
  return std::isfinite(sum);
}

}  // namespace cardan::collision
