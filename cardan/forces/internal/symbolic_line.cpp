#include "cardan/forces/internal/symbolic_line.hpp"

#include <algorithm>

namespace cardan::detail {

namespace {

constexpr double kNoLength = 1e-150;  // m: two points are one, and the segment between them has no direction

}  // namespace

std::string beyond_symbolic_line(const Path& path) {
  if (!path.wraps().empty()) return "its path goes over surfaces";
  const auto& points = path.points();
  const bool any = std::any_of(points.begin(), points.end(), [](const PathPoint& p) { return p.when.has_value(); });
  return any ? "its path has points that come and go" : "";
}

SymbolicLine::SymbolicLine(const Path& path, const SymbolicInstant& at) : path_(path) {
  for (const PathPoint& point : path.points()) {
    Node& node = nodes_.emplace_back();
    node.x = Vec3<Expr>(point.at);
    if (point.moving) {
      Expr values[9];
      point.moving->at.evaluate_at(at.q[point.moving->coordinate.q], values);
      node.x = {values[0], values[1], values[2]};
      node.slide = rotate_back(at.X_0(point.body).E, Vec3<Expr>{values[3], values[4], values[5]});
    }
    node.X = at.position(point.body, node.x);
    node.V = at.point_velocity(point.body, node.x);
    if (point.moving) node.V += at.v[point.moving->coordinate.v] * node.slide;
  }
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    Node &a = nodes_[i], &b = nodes_[i + 1];
    const Vec3<Expr> d = b.X - a.X;
    const Expr segment = norm(d);
    const Vec3<Expr> along = (Expr(1.0) / max(segment, Expr(kNoLength))) * d;
    length += segment;
    speed += dot(along, b.V - a.V);
    a.g -= along;
    b.g += along;
  }
}

void SymbolicLine::pull(const SymbolicInstant& at, Expr tension, SymbolicPushes& pushes) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const PathPoint& point = path_.points()[i];
    const Vec3<Expr> F = (-tension) * node.g;
    if (point.moving) pushes.velocity(point.moving->coordinate.v) += dot(F, node.slide);
    if (point.body == 0) continue;
    const Vec3<Expr> f = rotate(at.X_0(point.body).E, F);
    pushes.body(point.body) += ForceVector<Expr>{cross(node.x, f), f};
  }
}

}  // namespace cardan::detail
