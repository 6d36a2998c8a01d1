// Spheres and capsules among one another: points and segments with a radius. The nearest points of two segments are
// where both are perpendicular to the connection, or an end of one with its projection on the other: five candidates.
#include "cardan/collision/internal/nearest_parts.hpp"

namespace cardan::collision {
namespace {

struct SegmentPair {
  Vec3<double> p, d;  // from the start of the first
  Vec3<double> q, e;  // from the start of the second
};

struct SegmentNearest {
  double squared = -1.0, s = 0.0, t = 0.0;

  void offer(const SegmentPair& pair, double at_s, double at_t) {
    at_s = std::clamp(at_s, 0.0, 1.0);
    at_t = std::clamp(at_t, 0.0, 1.0);
    const Vec3<double> r = pair.q + at_t * pair.e - (pair.p + at_s * pair.d);
    const double d = dot(r, r);
    if (squared < 0.0 || d < squared) *this = {d, at_s, at_t};
  }
};

bool is_inside(double s) { return s > 0.0 && s < 1.0; }

}  // namespace

LocalContact nearest_of_segments(const Solid& a, const Solid& b, const Pose<double>& X) {
  const Vec3<double> half_b = X.R * b.half;
  const SegmentPair pair{-a.half, 2.0 * a.half, X.p - half_b, 2.0 * half_b};
  const double dd = dot(pair.d, pair.d), ee = dot(pair.e, pair.e), de = dot(pair.d, pair.e);
  const Vec3<double> r = pair.p - pair.q, across = cross(pair.d, pair.e);
  const double dr = dot(pair.d, r), er = dot(pair.e, r), det = dot(across, across);
  const auto on_first = [&](double t) { return dd > 0.0 ? (t * de - dr) / dd : 0.0; };
  const auto on_second = [&](double s) { return ee > 0.0 ? (s * de + er) / ee : 0.0; };
  SegmentNearest best;
  for (const double end : {0.0, 1.0}) {
    best.offer(pair, end, on_second(end));
    best.offer(pair, on_first(end), end);
  }
  const bool crossing = det > 1e-26 * dd * ee;
  if (crossing) {
    const double s = std::clamp((de * er - ee * dr) / det, 0.0, 1.0);
    best.offer(pair, s, on_second(s));
  }
  const Vec3<double> on_a = pair.p + best.s * pair.d, on_b = pair.q + best.t * pair.e, between = on_b - on_a;
  const Vec3<double> u = dd > 0.0 ? unit(pair.d) : Vec3<double>{}, v = ee > 0.0 ? unit(pair.e) : Vec3<double>{};
  const bool along_a = dd > 0.0 && is_inside(best.s), along_b = ee > 0.0 && is_inside(best.t);

  // along the connection, made perpendicular to a segment whose inside is nearest
  const double size = std::sqrt(dd) + std::sqrt(ee) + norm(X.p);
  Vec3<double> n = along_a ? between - dot(u, between) * u : along_b ? between - dot(v, between) * v : between;
  if (!(norm(n) > 1e-14 * size))
    n = dd > 0.0 ? perpendicular(u) : ee > 0.0 ? perpendicular(v) : Vec3<double>{0.0, 0.0, 1.0};
  LocalContact out;
  out.n = unit(n);
  if (along_a) out.feature_a = {1, u};
  if (along_b && !along_a) out.feature_b = {1, v};
  // perpendicular to both: exact where they cross, however near
  const auto separation = [&](const Vec3<double>& m) {
    return dot(m, X.p) - std::abs(dot(m, a.half)) - std::abs(dot(m, half_b));
  };
  if (crossing) {
    Vec3<double> m = unit(across);
    m = unit(m - dot(u, m) * u);
    if (dot(m, X.p) < 0.0) m = -m;
    if (separation(m) + 2e-15 * size > separation(out.n)) {
      out.n = m;
      out.feature_a = {1, u};
      out.feature_b = {1, v};
    }
  }
  out.gap = separation(out.n) - (a.radius + b.radius);
  out.a = on_a + a.radius * out.n;
  out.b = out.a + out.gap * out.n;
  return out;
}

}  // namespace cardan::collision
