#include "cardan/forces/path.hpp"

#include "cardan/forces/internal/free_node.hpp"
#include "cardan/forces/internal/placed_wraps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cardan {

namespace {

constexpr double kNoLength = 1e-150;  // m: two points are one, and the segment between them has no direction

void touch_body(Touches& touches, int body) {
  if (body != 0 && std::find(touches.bodies.begin(), touches.bodies.end(), body) == touches.bodies.end())
    touches.bodies.push_back(body);
}
void touch_velocity(Touches& touches, int v) {
  if (std::find(touches.velocities.begin(), touches.velocities.end(), v) == touches.velocities.end())
    touches.velocities.push_back(v);
}

/// Lays a curve over a surface; says between which points of the path where there is none.
WrappedCurve wrapped(const PathWrap& wrap, const Vec3<double>& P, const Vec3<double>& S, WrapSurface::Want want) {
  try {
    return wrap.surface->wrap(P, S, want);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(
        fmt::format("{}, between points {} and {}", problem.what(), wrap.after + 1, wrap.after + 2));
  }
}

/// Writes a segment: over its surface where it touches that, else straight.
void lay(const Instant& at, const PathShape::Node& a, const PathShape::Node& b, WrapSurface::Want want,
         PathShape::Segment& segment) {
  const Vec3<double> d = b.X - a.X;
  segment.wrap = nullptr;
  segment.length = norm(d);
  segment.g_b = segment.length > kNoLength ? (1.0 / segment.length) * d : Vec3<double>{};
  segment.g_a = -segment.g_b;
  if (!segment.surface) return;
  const Transform<double> X =
      segment.surface->X * at.X_0(segment.surface->body);  // from the world to the surface's frame
  const WrappedCurve curve = wrapped(*segment.surface, X.E * (a.X - X.r), X.E * (b.X - X.r), want);
  if (!curve.touches) return;
  segment.wrap = segment.surface;
  segment.length = curve.length;
  segment.g_a = rotate_back(X.E, curve.by_P);
  segment.g_b = rotate_back(X.E, curve.by_S);
  segment.first = X.r + rotate_back(X.E, curve.first);
  segment.last = X.r + rotate_back(X.E, curve.last);
  segment.arc = curve.arc;
  if (want == WrapSurface::Want::slopes) return;
  segment.H_aa = rotate_back(X.E, curve.by_PP);
  segment.H_ab = rotate_back(X.E, curve.by_PS);
  segment.H_bb = rotate_back(X.E, curve.by_SS);
}

/// Puts the free node between two surfaces where the length is least: both directions there are one. Newton's method;
/// along the line, where the length does not change, the node stays.
void settle(const Instant& at, const PathShape::Node& a, PathShape::Node& free, const PathShape::Node& b,
            PathShape::Segment& first, PathShape::Segment& second) {
  constexpr auto kSecond = WrapSurface::Want::second_derivatives;
  lay(at, a, b, kSecond, first);
  lay(at, a, b, kSecond, second);
  free.X = 0.5 * ((first.wrap ? first.last : a.X) + (second.wrap ? second.first : b.X));
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 50; ++i) {
    lay(at, a, free, kSecond, first);
    lay(at, free, b, kSecond, second);
    const Vec3<double> g = first.g_b + second.g_a;
    const double size = first.length + second.length;
    Vec3<double> change = detail::solve_at_free_node(first, second, g);
    const double length = norm(change), most = 0.2 * size;
    if (length > most) change = (most / length) * change;
    free.X -= change;
    // small changes that do not fall any more are rounding
    if (length <= 1e-13 * size || (length <= 1e-8 * size && length >= 0.5 * before)) return;
    before = length;
  }
  throw std::runtime_error(fmt::format("a path finds no way over its two surfaces, between points {} and {}",
                                       first.surface->after + 1, second.surface->after + 2));
}

/// Velocity of the body's point that is at X in the world.
Vec3<double> carried_velocity(const Instant& at, int body, const Vec3<double>& X) {
  const Transform<double>& X_0 = at.X_0(body);
  const MotionVector<double>& v = at.velocity(body);
  return rotate_back(X_0.E, v.linear) + cross(rotate_back(X_0.E, v.angular), X - X_0.r);
}

}  // namespace

Path::Path(std::vector<PathPoint> points, std::vector<PathWrap> wraps)
    : points_(std::move(points)), wraps_(std::move(wraps)) {
  if (points_.size() < 2) throw std::invalid_argument("a path must have two points or more");
  if (points_.front().when || points_.back().when)
    throw std::invalid_argument("the first and the last point of a path must be there always");
  has_ranges_ = std::any_of(wraps_.begin(), wraps_.end(), [](const PathWrap& wrap) { return wrap.has_range(); });
  int count = 0;  // of wraps since the last point that is always there
  for (int k = 0; k + 1 < static_cast<int>(points_.size()); ++k) {
    if (!points_[static_cast<std::size_t>(k)].when) count = 0;
    for (const PathWrap& wrap : wraps_) count += wrap.after == k && !wrap.has_range() ? 1 : 0;
    if (count > 2) throw std::invalid_argument("at most two wraps may be between the same two points");
  }
  for (const PathWrap& wrap : wraps_)
    if (wrap.after < 0 || wrap.last() < wrap.after || wrap.last() + 1 >= static_cast<int>(points_.size()))
      throw std::invalid_argument("a wrap must be between two points of its path");
  for (const PathPoint& point : points_) {
    touch_body(touches_, point.body);
    if (point.moving) touch_velocity(touches_, point.moving->coordinate.v);
    if (point.when) touch_velocity(touches_, point.when->coordinate.v);
  }
  for (const PathWrap& wrap : wraps_) touch_body(touches_, wrap.body);
}

void Path::touch(const Touches& more) {
  for (const int body : more.bodies) touch_body(touches_, body);
  for (const int v : more.velocities) touch_velocity(touches_, v);
}

int Path::wraps_after(int k) const {
  return static_cast<int>(std::count_if(wraps_.begin(), wraps_.end(),
                                        [&](const PathWrap& wrap) { return wrap.after <= k && k <= wrap.last(); }));
}

std::size_t Path::traced_points() const {
  std::size_t out = points_.size();
  for (const PathWrap& wrap : wraps_) out += static_cast<std::size_t>(kArcPoints * (wrap.last() - wrap.after + 1));
  return out;
}

/// Makes the segments between the nodes and says which surface each may touch. Between two nodes with two surfaces
/// there is a free node.
void Path::place_wraps(const Instant& at, PathShape& shape) const {
  std::vector<std::vector<const PathWrap*>> placed;
  if (has_ranges_) placed = detail::placed_wraps(at, wraps_, shape);
  shape.segments.clear();
  std::size_t i = 0;
  const auto add = [&](const PathWrap& wrap, int from) {
    if (shape.segments.back().surface) {  // the second one
      PathShape::Node free;
      free.point = from;
      free.is_free = true;
      shape.nodes.insert(shape.nodes.begin() + static_cast<std::ptrdiff_t>(++i), free);
      shape.segments.emplace_back();
    }
    shape.segments.back().surface = &wrap;
  };
  for (std::size_t pair = 0; i + 1 < shape.nodes.size(); ++i, ++pair) {
    const int from = shape.nodes[i].point, to = shape.nodes[i + 1].point;
    shape.segments.emplace_back();
    if (has_ranges_)
      for (const PathWrap* wrap : placed[pair]) add(*wrap, from);
    else
      for (const PathWrap& wrap : wraps_)
        if (from <= wrap.after && wrap.after < to) add(wrap, from);
  }
}

void Path::evaluate(const Instant& at, WrapSurface::Want want, PathShape& shape) const {
  shape.nodes.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PathPoint& point = points_[i];
    if (point.when) {
      const double q = at.q[point.when->coordinate.q];
      if (q < point.when->low || q > point.when->high) continue;
    }
    PathShape::Node& node = shape.nodes.emplace_back();
    node.point = static_cast<int>(i);
    node.body = point.body;
    node.x = point.at;
    const Mat3<double>& E = at.X_0(point.body).E;
    if (point.moving) {
      double values[9];
      point.moving->at.evaluate(at.q[point.moving->coordinate.q], values);
      node.x = {values[0], values[1], values[2]};
      node.slide = rotate_back(E, Vec3<double>{values[3], values[4], values[5]});
      node.bend = rotate_back(E, Vec3<double>{values[6], values[7], values[8]});
    }
    node.X = at.position(point.body, node.x);
    node.V = at.point_velocity(point.body, node.x);
    if (point.moving) node.V += at.v[point.moving->coordinate.v] * node.slide;
  }

  place_wraps(at, shape);
  for (std::size_t i = 1; i + 1 < shape.nodes.size(); ++i)
    if (shape.nodes[i].is_free)
      settle(at, shape.nodes[i - 1], shape.nodes[i], shape.nodes[i + 1], shape.segments[i - 1], shape.segments[i]);
  shape.length = shape.speed = 0.0;
  for (std::size_t i = 0; i < shape.segments.size(); ++i) {
    PathShape::Node &a = shape.nodes[i], &b = shape.nodes[i + 1];
    PathShape::Segment& segment = shape.segments[i];
    lay(at, a, b, want, segment);
    shape.length += segment.length;
    a.g += segment.g_a;
    b.g += segment.g_b;
    Vec3<double> V_a = a.V, V_b = b.V;
    if (segment.wrap && segment.wrap->body != 0) {
      V_a -= carried_velocity(at, segment.wrap->body, a.X);
      V_b -= carried_velocity(at, segment.wrap->body, b.X);
    }
    shape.speed += dot(segment.g_a, V_a) + dot(segment.g_b, V_b);
  }
}

void Path::pull(const Instant& at, const PathShape& shape, double tension, Pushes& pushes) const {
  const auto push = [&](int body, const Vec3<double>& x, const Vec3<double>& F) {
    if (body == 0) return;
    const Vec3<double> f = rotate(at.X_0(body).E, F);
    pushes.body(body) += ForceVector<double>{cross(x, f), f};
  };
  for (const PathShape::Node& node : shape.nodes) {
    if (node.is_free) continue;
    const Vec3<double> F = (-tension) * node.g;
    push(node.body, node.x, F);
    if (const auto& moving = points_[static_cast<std::size_t>(node.point)].moving)
      pushes.velocity(moving->coordinate.v) += dot(F, node.slide);
  }
  for (std::size_t i = 0; i < shape.segments.size(); ++i) {
    const PathShape::Segment& segment = shape.segments[i];
    if (!segment.wrap || segment.wrap->body == 0) continue;
    const Transform<double>& X_0 = at.X_0(segment.wrap->body);
    for (const auto& [node, g] :
         {std::pair(&shape.nodes[i], &segment.g_a), std::pair(&shape.nodes[i + 1], &segment.g_b)})
      push(segment.wrap->body, rotate(X_0.E, node->X - X_0.r), tension * *g);
  }
}

bool Path::bends() const {
  return !wraps_.empty() ||
         std::any_of(points_.begin(), points_.end(), [](const PathPoint& p) { return p.moving || p.when; });
}

void Path::trace(const Instant& at, std::vector<Vec3<double>>& out) const {
  PathShape shape;
  evaluate(at, WrapSurface::Want::slopes, shape);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const auto node = std::find_if(shape.nodes.begin(), shape.nodes.end(), [&](const PathShape::Node& n) {
      return !n.is_free && n.point == static_cast<int>(k);
    });
    out.push_back(node != shape.nodes.end() ? node->X : out.back());  // the first point is always there
    // the arcs that follow this point, then its last place for those that are elsewhere
    int arcs = 0;
    for (std::size_t s = 0; s < shape.segments.size(); ++s) {
      const PathShape::Segment& segment = shape.segments[s];
      if (!segment.wrap || shape.nodes[s].point != static_cast<int>(k)) continue;
      const PathWrap& wrap = *segment.wrap;
      const Transform<double> X = wrap.X * at.X_0(wrap.body);  // from the world to the surface's frame
      for (int i = 0; i < kArcPoints; ++i) {
        const Vec3<double> on_surface = wrap.surface->follow(X.E * (segment.first - X.r), -(X.E * segment.g_a),
                                                             segment.arc * i / (kArcPoints - 1.0));
        out.push_back(X.r + rotate_back(X.E, on_surface));
      }
      ++arcs;
    }
    for (int i = kArcPoints * arcs; i < kArcPoints * wraps_after(static_cast<int>(k)); ++i) out.push_back(out.back());
  }
}

}  // namespace cardan
