// Polyhedra: GJK and EPA end at the right simplex; its normal, and the normals of faces nearby, are exact where the
// distance itself is too small to give a direction. Curved cores: with features that n must be perpendicular to,
//   no edge:  two unknowns, tangential part of b(-n) - a(n) = 0,  Jacobian -(H_a + H_b + gap 1)
//   one edge: one unknown, rotation about the edge
//   two, or a face: n is known.
// Every candidate is a lower bound, s(n) <= gap, and the right one attains it; so the largest is taken.
#include "cardan/collision/internal/core_contact.hpp"

#include "cardan/collision/internal/clip.hpp"
#include "cardan/collision/internal/epa.hpp"
#include "cardan/collision/internal/nearest_parts.hpp"

#include <limits>

namespace cardan::collision {
namespace {

struct Approximation {
  Vec3<double> n;
  int count = 0;
  DifferencePoint point[3];
  Vec3<double> a, b;    // of the simplex
  bool deep = false;    // overlapping: a face that fits need not be the best nearby
  double upper = -1.0;  // distance that the simplex proves possible; negative: none
};

struct Candidate {
  double separation = -std::numeric_limits<double>::infinity();
  Vec3<double> n;
  Feature a, b;  // b in the frame of a
};

/// Tells whether one point alone of a curved core supports n.
bool is_round(const Solid& s, const Vec3<double>& n) {
  if (s.kind == Kind::ellipsoid) return true;
  constexpr double kFlat = 1e-7;
  return s.kind == Kind::cylinder && std::abs(n[2]) > kFlat && n[0] * n[0] + n[1] * n[1] > kFlat * kFlat;
}

/// Thickness without the rounding: none of points and segments.
double core_thickness(const Solid& s) { return s.radius > 0.0 ? 0.0 : thickness(s); }

class Polish {
 public:
  Polish(CorePair& pair, const Approximation& start) : pair_(pair), start_(start) {}

  CoreContact run() {
    offer({0.0, start_.n, {}, {}}, -1e-14);  // as found: only where nothing exact is as good
    if (!pair_.is_curved()) offer_simplex();
    offer_faces();
    if (pair_.is_curved() && (start_.deep || !is_face(best_))) offer_newton();
    // features that are parallel within rounding may have ended GJK early
    if (!pair_.is_curved() && start_.upper - best_.separation > 2e-15 * pair_.scale) offer_edges();
    return witness();
  }
  /// Follows a shallow contact from the last direction. False where that is not one of its features any more.
  bool track(CoreContact& out) {
    offer_faces();
    if (pair_.is_curved() && !is_face(best_)) offer_newton();
    const double thin = std::min(core_thickness(pair_.a), core_thickness(pair_.b));
    if (!(best_.separation > -0.05 * thin)) return false;
    if (is_face(best_)) {
      if (!face_is_over()) return false;
    } else if (!pair_.is_curved() || best_.a.dimension + best_.b.dimension > 1) {
      return false;
    }
    out = witness();
    return true;
  }

 private:
  /// What is known exactly goes before what is as good by rounding.
  void offer(Candidate candidate, double favor = 0.0) {
    candidate.separation = pair_.separation(candidate.n);
    favor += 2e-15 * (candidate.a.dimension + candidate.b.dimension);
    const double score = candidate.separation + favor * pair_.scale;
    if (score > score_) {
      best_ = candidate;
      score_ = score;
    }
  }
  static bool is_face(const Candidate& c) { return c.a.dimension == 2 || c.b.dimension == 2; }
  bool face_is_over();
  void offer_simplex();
  void offer_faces();
  void offer_edges();
  void offer_newton();
  void offer_corners();
  bool refine(Vec3<double>& n);
  bool refine_about(Vec3<double>& n, const Vec3<double>& e);
  Vec3<double> radii(const Vec3<double>& n, const Vec3<double>& t) const {
    const Vec3<double> local = curvature_radii(pair_.b, transpose_apply(pair_.X.R, -n), transpose_apply(pair_.X.R, t));
    return curvature_radii(pair_.a, n, t) + pair_.X.R * local;
  }
  CoreContact witness();

  CorePair& pair_;
  Approximation start_;
  const double feature_angle_ = pair_.is_curved() ? 0.1 : 1e-2;  // how far n of GJK and EPA may be off
  Candidate best_;
  double score_ = -std::numeric_limits<double>::infinity();
};

/// Offers the normal of the simplex: a face against a vertex, or two edges.
void Polish::offer_simplex() {
  const auto& p = start_.point;
  const auto distinct = [&](int DifferencePoint::*vertex) {
    int count = 1;
    for (int i = 1; i < start_.count; ++i) {
      bool fresh = true;
      for (int j = 0; j < i; ++j) fresh = fresh && p[i].*vertex != p[j].*vertex;
      count += fresh ? 1 : 0;
    }
    return count;
  };
  const int in_a = distinct(&DifferencePoint::vertex_a), in_b = distinct(&DifferencePoint::vertex_b);
  const auto edge = [&](int DifferencePoint::*vertex, Vec3<double> DifferencePoint::*place) {
    for (int i = 1; i < start_.count; ++i)
      if (p[i].*vertex != p[0].*vertex) return unit(p[i].*place - p[0].*place);
    return Vec3<double>{};
  };
  if (start_.count == 2) {
    const bool of_a = in_a == 2;
    const Vec3<double> e = of_a ? edge(&DifferencePoint::vertex_a, &DifferencePoint::a)
                                : edge(&DifferencePoint::vertex_b, &DifferencePoint::b);
    const Vec3<double> n = start_.n - dot(e, start_.n) * e;
    if (norm(n) > 0.5) offer({0.0, unit(n), of_a ? Feature{1, e} : Feature{}, of_a ? Feature{} : Feature{1, e}});
    return;
  }
  if (start_.count != 3) return;
  Vec3<double> n = cross(p[1].w - p[0].w, p[2].w - p[0].w);
  if (in_a == 2 && in_b == 2)
    n = cross(edge(&DifferencePoint::vertex_a, &DifferencePoint::a),
              edge(&DifferencePoint::vertex_b, &DifferencePoint::b));
  const double length = norm(n);
  if (!(length > 1e-280)) return;
  n = (dot(n, start_.n) < 0.0 ? -1.0 / length : 1.0 / length) * n;
  if (in_a == 3)
    offer({0.0, n, {2, n}, {}});
  else if (in_b == 3)
    offer({0.0, n, {}, {2, -n}});
  else
    offer({0.0,
           n,
           {1, edge(&DifferencePoint::vertex_a, &DifferencePoint::a)},
           {1, edge(&DifferencePoint::vertex_b, &DifferencePoint::b)}});
}

void Polish::offer_faces() {
  Feature list[kMostFeatures];
  int count = features_near(pair_.a, start_.n, feature_angle_, pair_.hint_a, list);
  for (int i = 1; i < count; ++i)
    if (list[i].dimension == 2) offer({0.0, list[i].e, list[i], {}});
  count = features_near(pair_.b, transpose_apply(pair_.X.R, -start_.n), feature_angle_, pair_.hint_b, list);
  for (int i = 1; i < count; ++i)
    if (list[i].dimension == 2) {
      const Vec3<double> normal = pair_.X.R * list[i].e;
      offer({0.0, -normal, {}, {2, normal}});
    }
  // a face of a curved pair spares Newton's method where the other core lies over it
  if (pair_.is_curved() && is_face(best_) && !face_is_over() && !start_.deep) {
    best_ = {};
    score_ = -std::numeric_limits<double>::infinity();
  }
}

/// Offers the common perpendiculars of all edges nearby, and n made perpendicular to each of them.
void Polish::offer_edges() {
  Feature of_a[kMostFeatures], of_b[kMostFeatures];
  const int count_a = features_near(pair_.a, start_.n, feature_angle_, pair_.hint_a, of_a);
  const int count_b = features_near(pair_.b, transpose_apply(pair_.X.R, -start_.n), feature_angle_, pair_.hint_b, of_b);
  for (int j = 0; j < count_b; ++j) of_b[j].e = pair_.X.R * of_b[j].e;
  const auto offer_about = [&](const Feature& a, const Feature& b, const Vec3<double>& e) {
    const Vec3<double> n = start_.n - dot(e, start_.n) * e;
    offer({0.0, unit(n), a, b});
  };
  for (int i = 0; i < count_a; ++i)
    if (of_a[i].dimension == 1) offer_about(of_a[i], {}, of_a[i].e);
  for (int j = 0; j < count_b; ++j)
    if (of_b[j].dimension == 1) offer_about({}, of_b[j], of_b[j].e);
  for (int i = 0; i < count_a; ++i)
    for (int j = 0; j < count_b; ++j) {
      if (of_a[i].dimension != 1 || of_b[j].dimension != 1) continue;
      const Vec3<double> across = cross(of_a[i].e, of_b[j].e);
      const double length = norm(across);
      if (!(length > 1e-6)) continue;
      offer({0.0, (dot(across, start_.n) < 0.0 ? -1.0 / length : 1.0 / length) * across, of_a[i], of_b[j]});
    }
}

/// Offers the directions from corners of a polyhedron to the nearest points of a cylinder, in closed form: near a rim
/// the separation is almost flat, and its corners take turns in Newton's method.
void Polish::offer_corners() {
  const bool of_a = pair_.b.kind == Kind::cylinder;
  const Solid &corners = of_a ? pair_.a : pair_.b, &round = of_a ? pair_.b : pair_.a;
  if (round.kind != Kind::cylinder || corners.is_curved()) return;
  for (int i = 0; i < start_.count; ++i) {
    Vec3<double> unused;
    const Vec3<double> x = of_a ? transpose_apply(pair_.X.R, start_.point[i].a - pair_.X.p) : start_.point[i].b;
    const LocalContact c = nearest_to_point(x, round, unused);
    if (!(c.gap > 0.0)) continue;
    const auto turned = [&](const Vec3<double>& v) { return of_a ? pair_.X.R * v : v; };
    Feature feature = c.feature_b;
    feature.e = turned(feature.e);
    offer({0.0, of_a ? turned(c.n) : -turned(c.n), of_a ? Feature{} : feature, of_a ? feature : Feature{}});
  }
}

void Polish::offer_newton() {
  offer_corners();
  Feature of_a[kMostFeatures], of_b[kMostFeatures];
  const int count_a = features_near(pair_.a, start_.n, feature_angle_, pair_.hint_a, of_a);
  const int count_b = features_near(pair_.b, transpose_apply(pair_.X.R, -start_.n), feature_angle_, pair_.hint_b, of_b);
  for (int i = 0; i < count_a; ++i)
    for (int j = 0; j < count_b; ++j) {
      const Feature a = of_a[i];
      Feature b = of_b[j];
      b.e = pair_.X.R * b.e;
      Vec3<double> n = start_.n;
      if (a.dimension + b.dimension == 3) {  // a line almost in a face: the face's normal made perpendicular to it
        const Vec3<double>&e = a.dimension == 1 ? a.e : b.e, normal = a.dimension == 1 ? -b.e : a.e;
        offer({0.0, unit(normal - dot(e, normal) * e), a.dimension == 1 ? a : Feature{},
               b.dimension == 1 ? b : Feature{}});
        continue;
      }
      if (a.dimension + b.dimension > 2) continue;  // a face is enough
      if (a.dimension == 2) {
        n = a.e;
      } else if (b.dimension == 2) {
        n = -b.e;
      } else if (a.dimension + b.dimension == 2) {
        const Vec3<double> across = cross(a.e, b.e);
        const double length = norm(across);
        if (!(length > 1e-9)) continue;  // parallel: one of them is enough
        n = (dot(across, n) < 0.0 ? -1.0 / length : 1.0 / length) * across;
      } else if (!(a.dimension + b.dimension == 1 ? refine_about(n, a.dimension == 1 ? a.e : b.e) : refine(n))) {
        continue;
      }
      offer({0.0, n, a, b});
    }
}

/// Newton's method on the sphere, damped so that s never falls.
bool Polish::refine(Vec3<double>& n) {
  DifferencePoint at = pair_.farthest(n);
  double s = -dot(n, at.w);
  constexpr int kMostIterations = 40;
  for (int i = 0, last = kMostIterations; i < last; ++i) {
    const Vec3<double> t = perpendicular(n), u = cross(n, t), Ht = radii(n, t), Hu = radii(n, u);
    const double r = -dot(t, at.w), q = -dot(u, at.w);
    const double tt = dot(t, Ht) + s, tu = dot(t, Hu), uu = dot(u, Hu) + s, det = tt * uu - tu * tu;
    double x = 0.0, y = 0.0;
    if (det > 0.0 && tt > 0.0) {
      x = (uu * r - tu * q) / det;
      y = (tt * q - tu * r) / det;
    } else {  // not concave here: upward along both principal directions, by the size of their curvature
      const double angle = 0.5 * std::atan2(2.0 * tu, tt - uu), c = std::cos(angle), d = std::sin(angle);
      const double first = tt * c * c + 2.0 * tu * c * d + uu * d * d, second = tt + uu - first;
      const double floor = 1e-13 * (std::abs(first) + std::abs(second));
      if (!(floor > 0.0)) return false;
      const double along = (c * r + d * q) / std::max(std::abs(first), floor),
                   other = (c * q - d * r) / std::max(std::abs(second), floor);
      x = c * along - d * other;
      y = d * along + c * other;
    }
    if (const double step = std::sqrt(x * x + y * y); step > 0.3) {
      x *= 0.3 / step;
      y *= 0.3 / step;
    }
    Vec3<double> next;
    double rise = 0.0;
    for (int halving = 0; halving < 12; ++halving, x *= 0.5, y *= 0.5) {
      next = unit(n + x * t + y * u);
      at = pair_.farthest(next);
      rise = -dot(next, at.w) - s;
      if (rise >= -1e-15 * pair_.scale) break;
    }
    n = next;
    s += rise;
    // quadratic: after a small step one more is exact
    if (const double step = std::abs(x) + std::abs(y); step < 1e-13)
      break;
    else if (step < 1e-6)
      last = std::min(last, i + 3);
  }
  return true;
}

/// Newton's method for the angle about an edge e that n stays perpendicular to.
bool Polish::refine_about(Vec3<double>& n, const Vec3<double>& e) {
  n = unit(n - dot(e, n) * e);
  double s = pair_.separation(n);
  constexpr int kMostIterations = 20;
  for (int i = 0, last = kMostIterations; i < last; ++i) {
    const Vec3<double> t = cross(e, n);
    const DifferencePoint at = pair_.farthest(n);
    const double r = -dot(t, at.w), k = dot(t, radii(n, t)) + s;
    double x = k > 0.0 ? r / k : std::copysign(0.1, r);
    x = std::clamp(x, -0.3, 0.3);
    Vec3<double> next;
    double rise = 0.0;
    for (int halving = 0; halving < 12; ++halving, x *= 0.5) {
      next = unit(n + x * t);
      rise = pair_.separation(next) - s;
      if (rise >= -1e-15 * pair_.scale) break;
    }
    n = next;
    s += rise;
    if (std::abs(x) < 1e-13)
      break;
    else if (std::abs(x) < 1e-6)
      last = std::min(last, i + 3);
  }
  n = unit(n - dot(e, n) * e);
  return true;
}

/// Tells whether the other core's facet lies over the face that n belongs to, seen along n: only then is the face's
/// separation the largest nearby. Takes the middle of the common part for nearest points.
bool Polish::face_is_over() {
  const bool of_a = best_.a.dimension == 2;
  const Vec3<double> n = best_.n, n_b = transpose_apply(pair_.X.R, -n);
  constexpr double kAlmostParallel = 1e-3;
  Facet face_a = facet_near(pair_.a, n, of_a ? 1e-9 : kAlmostParallel, pair_.hint_a);
  Facet face_b = facet_near(pair_.b, n_b, of_a ? kAlmostParallel : 1e-9, pair_.hint_b);
  face_b.move(pair_.X);
  const Facet &face = of_a ? face_a : face_b, &other = of_a ? face_b : face_a;
  if (face.dimension != 2) return false;
  Patch patch;
  clip_facet(face, other, of_a, 0.0, patch);
  if (patch.count() == 0) return false;
  // the corners that are nearest to the plane carry the contact
  double least = patch[0].gap;
  for (int i = 1; i < patch.count(); ++i) least = std::min(least, patch[i].gap);
  if (least > best_.separation + 1e-12 * pair_.scale) return false;
  int count = 0;
  start_.a = start_.b = {};
  for (int i = 0; i < patch.count(); ++i)
    if (patch[i].gap <= least + 1e-12 * pair_.scale) {
      start_.a += patch[i].a;
      start_.b += patch[i].b;
      ++count;
    }
  start_.a = (1.0 / count) * start_.a;
  start_.b = (1.0 / count) * start_.b;
  return true;
}

/// Finds nearest points on the two features: both project to the same point along n.
CoreContact Polish::witness() {
  CoreContact out;
  out.n = best_.n;
  out.gap = best_.separation;
  out.feature_a = best_.a;
  out.feature_b = best_.b;
  const DifferencePoint at = pair_.farthest(best_.n);
  const int dim_a = best_.a.dimension, dim_b = best_.b.dimension;
  const bool curved = pair_.is_curved();
  if (dim_a == 1 && dim_b == 1) {  // where the lines cross, seen along n
    const Vec3<double> across = cross(best_.b.e, best_.n);
    const double along = dot(across, best_.a.e);
    const Vec3<double> a = at.a + (dot(across, at.b - at.a) / along) * best_.a.e;
    out.a = a;
    out.b = a + out.gap * out.n;
  } else if (curved && dim_a == 0 && (dim_b < 2 || is_round(pair_.a, best_.n))) {
    out.a = at.a;
    out.b = at.a + out.gap * out.n;
  } else if (curved && dim_b == 0 && (dim_a < 2 || is_round(pair_.b, transpose_apply(pair_.X.R, -best_.n)))) {
    out.b = at.b;
    out.a = at.b - out.gap * out.n;
  } else {
    // polyhedra and faces: the simplex says where; what it says across n is taken from the lower feature
    const Vec3<double> a = dim_a > dim_b ? start_.b : start_.a;
    const double height = dim_a > dim_b ? dot(out.n, at.b - a) : dot(out.n, at.a - a);
    const Vec3<double> on = a + height * out.n;
    out.a = dim_a > dim_b ? on - out.gap * out.n : on;
    out.b = dim_a > dim_b ? on : on + out.gap * out.n;
  }
  return out;
}

}  // namespace

CoreContact core_contact(CorePair& pair, const Vec3<double>& guess, bool known) {
  const GjkResult apart = gjk(pair, guess);
  CoreContact best;
  best.gap = -std::numeric_limits<double>::infinity();
  if (!apart.overlap) {
    Approximation start;
    start.n = apart.n;
    start.count = std::min(apart.count, 3);
    for (int i = 0; i < start.count; ++i) start.point[i] = apart.point[i];
    start.a = apart.on_a();
    start.b = apart.on_b();
    start.upper = apart.distance;
    best = Polish(pair, start).run();
    // the simplex bounds the distance from above; a tiny one may have left it no direction
    const bool tiny = !(apart.distance > 1e-11 * pair.scale);
    if (apart.distance > 1e-5 * pair.scale || (!tiny && apart.distance - best.gap <= 1e-5 * apart.distance))
      return best;
  }
  if (known) {
    Approximation start;
    start.n = unit(guess);
    CoreContact tracked;
    if (Polish(pair, start).track(tracked)) return tracked.gap >= best.gap ? tracked : best;
  }
  const EpaResult inside = epa(pair);
  Approximation start;
  start.n = inside.n;
  start.deep = true;
  start.count = inside.flat ? 1 : 3;
  for (int i = 0; i < 3; ++i) {
    start.point[i] = inside.point[i];
    start.a += inside.weight[i] * inside.point[i].a;
    start.b += inside.weight[i] * inside.point[i].b;
  }
  const auto offer = [&](const CoreContact& found) {
    if (found.gap > best.gap) best = found;
  };
  offer(Polish(pair, start).run());
  if (pair.is_curved()) {
    // a coarse polytope may have missed the shortest way out of thin solids: try where they met and where they are
    const auto polish_from = [&](const Vec3<double>& n) {
      if (const double length = norm(n); length > 0.0) {
        start.n = (1.0 / length) * n;
        offer(Polish(pair, start).run());
      }
    };
    polish_from(apart.n);
    polish_from(pair.X.p);
    // where many directions are almost as good, the best is near an axis of one of them
    if (inside.exhausted)
      for (int k = 0; k < 3; ++k) {
        Vec3<double> axis;
        axis[k] = 1.0;
        for (const Vec3<double>& n : {axis, -axis, pair.X.R * axis, -(pair.X.R * axis)})
          if (pair.separation(n) > 1.2 * best.gap) polish_from(n);
      }
  }
  return best;
}

}  // namespace cardan::collision
