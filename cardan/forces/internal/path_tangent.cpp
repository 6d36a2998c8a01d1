// K and D of a tension along a path, one column for each direction in which what it touches can move. In a direction,
// dX_k and dV_k are how node k and its velocity change, d g those of the unit vectors. Along a straight segment of
// length s with direction n,  d n = (1 - n n') (dX_b - dX_a) / s; over a surface on body C the ends move against C and
// everything turns with it. The force -T g_k on node k then changes by -dT g_k - T dg_k, in the axes of a body that
// turns itself.
#include "cardan/forces/internal/free_node.hpp"
#include "cardan/forces/path.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr double kNoSegment = 1e-150;  // m: no direction

/// A direction: a body moves by a unit twist, or a coordinate that moves points on their body.
struct PathDirection {
  int body = -1, velocity = -1;
  Vec3<double> w, origin;  // turn of the body and shift of its origin, in world axes
  Vec3<double> w_own;      // the turn in the body's axes

  /// How far a point of the body at X goes.
  Vec3<double> carry(const Instant& at, const Vec3<double>& X) const { return origin + cross(w, X - at.X_0(body).r); }
};

struct NodeChange {
  Vec3<double> dX, dV;
  Vec3<double> T_dg;   // tension times the change of dl/dX
  Vec3<double> slide;  // change of Node::slide
};

NodeChange change_of(const Instant& at, const PathPoint& point, const PathShape::Node& node,
                     const PathDirection& direction) {
  NodeChange out;
  if (node.is_free) return out;
  if (direction.body == node.body && node.body != 0) {
    out.dX = direction.carry(at, node.X);
    out.dV = cross(direction.w, node.V);  // the velocity in the body's axes stays
    out.slide = cross(direction.w, node.slide);
  }
  if (direction.velocity >= 0 && point.moving && point.moving->coordinate.v == direction.velocity) {
    out.dX += node.slide;
    out.slide += node.bend;
    out.dV += at.v[direction.velocity] * node.bend;
    if (node.body != 0) out.dV += cross(rotate_back(at.X_0(node.body).E, at.velocity(node.body).angular), node.slide);
  }
  return out;
}

/// How a node's motion and velocity change against the body that carries a surface.
struct RelativeChange {
  Vec3<double> dX, V, dV;
};
RelativeChange against(const Instant& at, const PathShape::Node& node, const NodeChange& change, int body,
                       const PathDirection& direction) {
  if (body == 0) return {change.dX, node.V, change.dV};
  const Transform<double>& X_0 = at.X_0(body);
  const MotionVector<double>& v = at.velocity(body);
  const Vec3<double> w = rotate_back(X_0.E, v.angular), u = rotate_back(X_0.E, v.linear), arm = node.X - X_0.r;
  RelativeChange out{change.dX, node.V - (u + cross(w, arm)), change.dV - cross(w, change.dX)};
  if (direction.body != body) return out;
  out.dX -= direction.carry(at, node.X);
  out.dV -= cross(direction.w, u) + cross(cross(direction.w, w), arm) - cross(w, direction.origin);
  return out;
}

/// How the unit vectors at the ends of a segment change.
struct SegmentTurn {
  Vec3<double> g_a, g_b;
};
SegmentTurn turn_of(const PathShape::Segment& s, const RelativeChange& a, const RelativeChange& b,
                    const PathDirection& direction) {
  SegmentTurn out;
  if (s.wrap) {
    out.g_a = s.H_aa * a.dX + s.H_ab * b.dX;
    out.g_b = transpose_apply(s.H_ab, a.dX) + s.H_bb * b.dX;
    if (direction.body == s.wrap->body && s.wrap->body != 0) {
      out.g_a += cross(direction.w, s.g_a);
      out.g_b += cross(direction.w, s.g_b);
    }
  } else if (s.length > kNoSegment) {
    const Vec3<double> d = b.dX - a.dX;
    out.g_b = (1.0 / s.length) * (d - dot(s.g_b, d) * s.g_b);
    out.g_a = -out.g_b;
  }
  return out;
}

/// Moves the free nodes such that the directions of both segments stay one.
void follow_free_nodes(const Instant& at, const PathShape& shape, const PathDirection& direction,
                       std::vector<NodeChange>& changes) {
  const auto turn = [&](std::size_t i) {
    const PathShape::Segment& s = shape.segments[i];
    const int body = s.wrap ? s.wrap->body : 0;
    return turn_of(s, against(at, shape.nodes[i], changes[i], body, direction),
                   against(at, shape.nodes[i + 1], changes[i + 1], body, direction), direction);
  };
  for (std::size_t k = 1; k + 1 < shape.nodes.size(); ++k)
    if (shape.nodes[k].is_free)
      changes[k].dX =
          -detail::solve_at_free_node(shape.segments[k - 1], shape.segments[k], turn(k - 1).g_b + turn(k).g_a);
}

Eigen::Index slot_of_body(const Touches& touches, int body) {
  return 6 * (std::find(touches.bodies.begin(), touches.bodies.end(), body) - touches.bodies.begin());
}
Eigen::Index slot_of_velocity(const Touches& touches, int v) {
  return static_cast<Eigen::Index>(6 * touches.bodies.size()) +
         (std::find(touches.velocities.begin(), touches.velocities.end(), v) - touches.velocities.begin());
}

/// Calls visit(column, direction) for everything that the path touches.
template <class Visit>
void for_each_direction(const Instant& at, const Touches& touches, const Visit& visit) {
  Eigen::Index column = 0;
  for (const int body : touches.bodies) {
    const Mat3<double>& E = at.X_0(body).E;
    for (int c = 0; c < 6; ++c) {
      PathDirection direction;
      direction.body = body;
      const Vec3<double> axis = E.row[c % 3];  // of the body, in the world
      if (c < 3) {
        direction.w = axis;
        direction.w_own[c] = 1.0;
      } else {
        direction.origin = axis;
      }
      visit(column++, direction);
    }
  }
  for (const int v : touches.velocities) {
    PathDirection direction;
    direction.velocity = v;
    visit(column++, direction);
  }
}

}  // namespace

void Path::add_tangent(const Instant& at, const PathShape& shape, const Tension& tension, Tangent& tangent) const {
  const double T = tension.value;
  const std::size_t n = shape.nodes.size();
  std::vector<NodeChange> changes(n);
  std::vector<std::pair<Vec3<double>, Vec3<double>>> T_dg(n - 1);  // tension times change of g_a, g_b
  Eigen::VectorXd B(tangent.K.rows());
  for_each_direction(at, touches_, [&](Eigen::Index column, const PathDirection& direction) {
    for (std::size_t k = 0; k < n; ++k)
      changes[k] = change_of(at, points_[static_cast<std::size_t>(shape.nodes[k].point)], shape.nodes[k], direction);
    follow_free_nodes(at, shape, direction, changes);
    double dl = 0.0, dldot = 0.0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const PathShape::Segment& s = shape.segments[i];
      const int body = s.wrap ? s.wrap->body : 0;
      const RelativeChange a = against(at, shape.nodes[i], changes[i], body, direction),
                           b = against(at, shape.nodes[i + 1], changes[i + 1], body, direction);
      const SegmentTurn dg = turn_of(s, a, b, direction);
      T_dg[i] = {T * dg.g_a, T * dg.g_b};
      if (!s.wrap && !(s.length > kNoSegment)) {
        // coincident points: regular where the tension vanishes with the length
        T_dg[i].second = (T == 0.0 ? tension.by_length : 0.0) * (b.dX - a.dX);
        T_dg[i].first = -T_dg[i].second;
      }
      dl += dot(s.g_a, a.dX) + dot(s.g_b, b.dX);
      dldot += dot(dg.g_a, a.V) + dot(s.g_a, a.dV) + dot(dg.g_b, b.V) + dot(s.g_b, b.dV);
      changes[i].T_dg += T_dg[i].first;
      changes[i + 1].T_dg += T_dg[i].second;
    }
    B[column] = dl;
    const double dT = tension.by_length * dl + tension.by_speed * dldot;
    // the changed wrench on a body, at its point x, which moves in the body by dx
    const auto add = [&](int body, const Vec3<double>& x, const Vec3<double>& dx, const Vec3<double>& F,
                         const Vec3<double>& dF) {
      const Mat3<double>& E = at.X_0(body).E;
      const Vec3<double> f = E * F;
      Vec3<double> df = E * dF;
      if (direction.body == body) df -= cross(direction.w_own, f);
      const Vec3<double> moment = cross(x, df) + cross(dx, f);
      const Eigen::Index row = slot_of_body(touches_, body);
      for (int c = 0; c < 3; ++c) {
        tangent.K(row + c, column) += moment[c];
        tangent.K(row + 3 + c, column) += df[c];
      }
    };
    for (std::size_t k = 0; k < n; ++k) {
      const PathShape::Node& node = shape.nodes[k];
      if (node.is_free) continue;
      const auto& moving = points_[static_cast<std::size_t>(node.point)].moving;
      const Vec3<double> F = (-T) * node.g, dF = (-dT) * node.g - changes[k].T_dg;
      const bool slides = moving && moving->coordinate.v == direction.velocity;
      if (node.body != 0) add(node.body, node.x, slides ? at.X_0(node.body).E * node.slide : Vec3<double>{}, F, dF);
      if (moving)
        tangent.K(slot_of_velocity(touches_, moving->coordinate.v), column) +=
            dot(dF, node.slide) + dot(F, changes[k].slide);
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const PathShape::Segment& s = shape.segments[i];
      if (!s.wrap || s.wrap->body == 0) continue;
      const int body = s.wrap->body;
      const Transform<double>& X_0 = at.X_0(body);
      const auto end = [&](const PathShape::Node& node, const NodeChange& change, const Vec3<double>& g,
                           const Vec3<double>& T_dg_end) {
        const Vec3<double> dX = against(at, node, change, body, direction).dX;
        add(body, X_0.E * (node.X - X_0.r), X_0.E * dX, T * g, dT * g + T_dg_end);
      };
      end(shape.nodes[i], changes[i], s.g_a, T_dg[i].first);
      end(shape.nodes[i + 1], changes[i + 1], s.g_b, T_dg[i].second);
    }
  });
  tangent.D.noalias() -= tension.by_speed * B * B.transpose();
}

void Path::add_definite_tangent(const Instant& at, const PathShape& shape, const Tension& tension,
                                Tangent& tangent) const {
  const std::size_t n = shape.nodes.size();
  const Eigen::Index size = tangent.K.rows();
  Eigen::VectorXd B = Eigen::VectorXd::Zero(size);
  Eigen::MatrixXd across = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3 * (n - 1)), size);
  std::vector<NodeChange> changes(n);
  for_each_direction(at, touches_, [&](Eigen::Index column, const PathDirection& direction) {
    for (std::size_t k = 0; k < n; ++k)
      changes[k] = change_of(at, points_[static_cast<std::size_t>(shape.nodes[k].point)], shape.nodes[k], direction);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const PathShape::Segment& s = shape.segments[i];
      const int body = s.wrap ? s.wrap->body : 0;
      const RelativeChange a = against(at, shape.nodes[i], changes[i], body, direction),
                           b = against(at, shape.nodes[i + 1], changes[i + 1], body, direction);
      B[column] += dot(s.g_a, a.dX) + dot(s.g_b, b.dX);
      if (s.wrap) continue;
      const Vec3<double> d = b.dX - a.dX;
      const bool has_length = s.length > kNoSegment;
      const double stiffness = has_length             ? std::max(tension.value, 0.0) / s.length
                               : tension.value == 0.0 ? std::max(tension.by_length, 0.0)
                                                      : 0.0;
      const Vec3<double> row = std::sqrt(stiffness) * (d - dot(s.g_b, d) * s.g_b);
      for (int c = 0; c < 3; ++c) across(static_cast<Eigen::Index>(3 * i) + c, column) = row[c];
    }
  });
  tangent.K.noalias() -= std::max(tension.by_length, 0.0) * B * B.transpose();
  tangent.K.noalias() -= across.transpose() * across;
  tangent.D.noalias() -= std::max(tension.by_speed, 0.0) * B * B.transpose();
}

}  // namespace cardan
