#include "cardan/collision/internal/gjk.hpp"

#include <limits>

namespace cardan::collision {
namespace {

/// The part of a simplex that is nearest to the origin.
struct NearestPart {
  double squared = std::numeric_limits<double>::infinity();
  Vec3<double> v;
  int count = 0, index[3] = {};
  double weight[3] = {};

  void offer_point(const GjkResult& s, int i) {
    const Vec3<double>& w = s.point[i].w;
    if (const double d = dot(w, w); d < squared) *this = {d, w, 1, {i}, {1.0}};
  }
  void offer_edge(const GjkResult& s, int i, int j) {
    const Vec3<double>&p = s.point[i].w, &q = s.point[j].w, e = q - p;
    const double ee = dot(e, e), t = -dot(p, e) / ee;
    if (!(t > 0.0 && t < 1.0)) return;
    const Vec3<double> v = p + t * e;
    if (const double d = dot(v, v); d < squared) *this = {d, v, 2, {i, j}, {1.0 - t, t}};
  }
  void offer_triangle(const GjkResult& s, int i, int j, int k) {
    const Vec3<double>&p = s.point[i].w, &q = s.point[j].w, &r = s.point[k].w;
    const Vec3<double> n = cross(q - p, r - p);
    const double nn = dot(n, n);
    if (!(nn > 0.0)) return;
    const Vec3<double> v = (dot(n, p) / nn) * n;  // along the normal: exact where the origin is near
    const double l0 = dot(n, cross(q - v, r - v)) / nn, l1 = dot(n, cross(r - v, p - v)) / nn, l2 = 1.0 - l0 - l1;
    if (!(l0 > 0.0 && l1 > 0.0 && l2 > 0.0)) return;
    if (const double d = dot(v, v); d < squared) *this = {d, v, 3, {i, j, k}, {l0, l1, l2}};
  }
};

/// Tells whether the origin is inside the tetrahedron of the four points.
bool contains_origin(const GjkResult& s) {
  const Vec3<double>& d = s.point[3].w;
  const Vec3<double> a = s.point[0].w - d, b = s.point[1].w - d, c = s.point[2].w - d;
  const double volume = dot(a, cross(b, c));
  const Vec3<double> o = -d;
  const double x = dot(o, cross(b, c)), y = dot(a, cross(o, c)), z = dot(a, cross(b, o));
  return volume > 0.0 ? x > 0.0 && y > 0.0 && z > 0.0 && x + y + z < volume
                      : volume < 0.0 && x < 0.0 && y < 0.0 && z < 0.0 && x + y + z > volume;
}

void keep_part(GjkResult& s, const NearestPart& part) {
  DifferencePoint kept[3];
  for (int i = 0; i < part.count; ++i) kept[i] = s.point[part.index[i]];
  s.count = part.count;
  for (int i = 0; i < part.count; ++i) {
    s.point[i] = kept[i];
    s.weight[i] = part.weight[i];
  }
}

/// The nearest part of the points up to the last, which is new: it belongs to the answer, but for rounding.
NearestPart nearest_part(const GjkResult& s, int last) {
  NearestPart best;
  best.offer_point(s, last);
  for (int i = 0; i < last; ++i) best.offer_edge(s, i, last);
  for (int i = 0; i < last; ++i)
    for (int j = 0; j < i; ++j) best.offer_triangle(s, j, i, last);
  return best;
}

/// Begins with the vertices that were nearest before; false where there are none.
bool begin_with_known(const CorePair& pair, GjkResult& s, Vec3<double>& v) {
  if (pair.simplex == 0) return false;
  for (int i = 0; i < pair.simplex; ++i) s.point[i] = pair.of_vertices(pair.vertex_a[i], pair.vertex_b[i]);
  NearestPart best;
  for (int i = 0; i < pair.simplex; ++i) best.offer_point(s, i);
  for (int i = 0; i < pair.simplex; ++i)
    for (int j = 0; j < i; ++j) best.offer_edge(s, j, i);
  if (pair.simplex == 3) best.offer_triangle(s, 0, 1, 2);
  keep_part(s, best);
  v = best.v;
  return true;
}

}  // namespace

GjkResult gjk(CorePair& pair, const Vec3<double>& n) {
  // polyhedra end at a pair of vertices seen before; curved cores go on until Newton's method can take over
  const bool curved = pair.is_curved();
  const double relative = curved ? 1e-8 : 1e-14, near = (curved ? 1e-12 : 1e-13) * pair.scale;
  constexpr int kMostIterations = 100;
  GjkResult s;
  Vec3<double> v;
  if (!begin_with_known(pair, s, v)) {
    s.point[0] = pair.farthest(n);
    s.weight[0] = 1.0;
    s.count = 1;
    v = s.point[0].w;
  }
  double vv = dot(v, v);
  for (s.iterations = 1; s.iterations < kMostIterations; ++s.iterations) {
    if (!(vv > near * near)) {
      s.overlap = true;
      break;
    }
    const DifferencePoint fresh = pair.farthest(-v);
    if (vv - dot(v, fresh.w) <= relative * vv) break;
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || s.point[i].same(fresh);
    if (known) break;
    s.point[s.count] = fresh;
    if (s.count == 3 && contains_origin(s)) {
      s.overlap = true;
      break;
    }
    const NearestPart part = nearest_part(s, s.count);
    if (!(part.squared < vv)) break;  // rounding: no progress any more
    keep_part(s, part);
    v = part.v;
    vv = part.squared;
  }
  pair.simplex = s.overlap || curved ? 0 : s.count;
  for (int i = 0; i < pair.simplex; ++i) {
    pair.vertex_a[i] = s.point[i].vertex_a;
    pair.vertex_b[i] = s.point[i].vertex_b;
  }
  s.distance = std::sqrt(vv);
  if (s.distance > 0.0) s.n = (-1.0 / s.distance) * v;
  return s;
}

}  // namespace cardan::collision
