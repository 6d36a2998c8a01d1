#include "cardan/forces/path.hpp"

#include <algorithm>
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

/// Writes a straight segment.
void join(const PathShape::Node& a, const PathShape::Node& b, PathShape::Segment& segment) {
  const Vec3<double> d = b.X - a.X;
  segment.wrap = nullptr;
  segment.length = norm(d);
  segment.g_b = segment.length > kNoLength ? (1.0 / segment.length) * d : Vec3<double>{};
  segment.g_a = -segment.g_b;
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
  std::vector<bool> taken(points_.size());
  for (const PathWrap& wrap : wraps_) {
    if (wrap.after < 0 || wrap.after + 1 >= static_cast<int>(points_.size()))
      throw std::invalid_argument("a wrap must be between two points of its path");
    if (taken[static_cast<std::size_t>(wrap.after)])
      throw std::invalid_argument("two wraps between the same two points are not available yet");
    taken[static_cast<std::size_t>(wrap.after)] = true;
  }
  for (const PathPoint& point : points_) {
    touch_body(touches_, point.body);
    if (point.moving) touch_velocity(touches_, point.moving->coordinate.v);
    if (point.when) touch_velocity(touches_, point.when->coordinate.v);
  }
  for (const PathWrap& wrap : wraps_) touch_body(touches_, wrap.body);
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

  shape.segments.resize(shape.nodes.size() - 1);
  shape.length = shape.speed = 0.0;
  for (std::size_t i = 0; i < shape.segments.size(); ++i) {
    PathShape::Node &a = shape.nodes[i], &b = shape.nodes[i + 1];
    PathShape::Segment& segment = shape.segments[i];
    join(a, b, segment);
    for (const PathWrap& wrap : wraps_) {
      if (wrap.after < a.point || wrap.after >= b.point) continue;
      const Transform<double> X = wrap.X * at.X_0(wrap.body);  // from the world to the surface's frame
      const WrappedCurve curve = wrap.surface->wrap(X.E * (a.X - X.r), X.E * (b.X - X.r), want);
      if (!curve.touches) continue;
      segment.wrap = &wrap;
      segment.length = curve.length;
      segment.g_a = rotate_back(X.E, curve.by_P);
      segment.g_b = rotate_back(X.E, curve.by_S);
      segment.first = X.r + rotate_back(X.E, curve.first);
      segment.last = X.r + rotate_back(X.E, curve.last);
      if (want == WrapSurface::Want::second_derivatives) {
        segment.H_aa = rotate_back(X.E, curve.by_PP);
        segment.H_ab = rotate_back(X.E, curve.by_PS);
        segment.H_bb = rotate_back(X.E, curve.by_SS);
      }
    }
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

}  // namespace cardan
