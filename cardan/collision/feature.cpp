#include "cardan/collision/feature.hpp"

#include "cardan/collision/internal/core_pair.hpp"

#include <numbers>

namespace cardan::collision {
namespace {

class FeatureList {
 public:
  FeatureList(Feature (&out)[kMostFeatures]) : out_(out) { out_[count_++] = {}; }
  void edge(const Vec3<double>& e) { add({1, e}); }
  void face(const Vec3<double>& normal) { add({2, normal}); }
  int count() const { return count_; }

 private:
  void add(const Feature& feature) {
    if (count_ < kMostFeatures) out_[count_++] = feature;
  }
  Feature (&out_)[kMostFeatures];
  int count_ = 0;
};

const Vec3<double>& vertex_of(const Hull& hull, int i) { return hull.vertices[static_cast<std::size_t>(i)]; }

Vec3<double> axis_vector(int k, double value) {
  Vec3<double> out;
  out[k] = value;
  return out;
}

Facet point_facet(const SupportPoint& p, const Vec3<double>& n) {
  Facet out;
  out.number = std::max(p.vertex, 0);
  out.add(p.x, out.number);
  out.normal = n;
  return out;
}

Facet edge_facet(const Vec3<double>& p, int p_name, const Vec3<double>& q, int q_name, const Vec3<double>& n) {
  Facet out;
  out.dimension = 1;
  out.number = std::min(p_name, q_name);
  out.add(p, p_name);
  out.add(q, q_name);
  out.normal = n;
  return out;
}

/// Adds the four corners of the face across axis A, counterclockwise seen from outside, each named by the signs of its
/// coordinates. Axes are known to the compiler, so that corners stay in registers.
template <int A>
void add_box_face(const Vec3<double>& half, bool upper, Facet& out) {
  constexpr int u = (A + 1) % 3, v = (A + 2) % 3;
  constexpr bool kTurn[4][2] = {{false, false}, {true, false}, {true, true}, {false, true}};
  out.normal[A] = upper ? 1.0 : -1.0;
  for (int i = 0; i < 4; ++i) {
    const bool* turn = kTurn[upper ? i : 3 - i];
    Vec3<double> x;
    x[A] = upper ? half[A] : -half[A];
    x[u] = turn[0] ? half[u] : -half[u];
    x[v] = turn[1] ? half[v] : -half[v];
    out.add(x, (upper ? 1 << A : 0) | (turn[0] ? 1 << u : 0) | (turn[1] ? 1 << v : 0));
  }
}

Facet box_facet(const Solid& s, const Vec3<double>& n, double tolerance) {
  const double steepness[3] = {std::abs(n[0]), std::abs(n[1]), std::abs(n[2])};
  const bool flat[3] = {steepness[0] < tolerance, steepness[1] < tolerance, steepness[2] < tolerance};
  const int flats = flat[0] + flat[1] + flat[2];
  if (flats >= 2) {
    int steep = steepness[1] > steepness[0] ? 1 : 0;
    if (steepness[2] > steepness[steep]) steep = 2;
    Facet out;
    out.dimension = 2;
    const bool upper = n[steep] > 0.0;
    out.number = 2 * steep + (upper ? 1 : 0);
    switch (steep) {
      case 0: add_box_face<0>(s.half, upper, out); break;
      case 1: add_box_face<1>(s.half, upper, out); break;
      default: add_box_face<2>(s.half, upper, out);
    }
    return out;
  }
  const auto corner_name = [](const Vec3<double>& x) {
    return (x[0] > 0.0 ? 1 : 0) + (x[1] > 0.0 ? 2 : 0) + (x[2] > 0.0 ? 4 : 0);
  };
  const Vec3<double> x{std::copysign(s.half[0], n[0]), std::copysign(s.half[1], n[1]), std::copysign(s.half[2], n[2])};
  if (flats == 1) {
    const int axis = flat[0] ? 0 : flat[1] ? 1 : 2;
    Vec3<double> p = x, q = x;
    p[axis] = -s.half[axis];
    q[axis] = s.half[axis];
    return edge_facet(p, corner_name(p), q, corner_name(q), n);
  }
  return point_facet({x, corner_name(x)}, n);
}

Facet hull_facet(const Hull& hull, const Vec3<double>& n, double tolerance, int vertex) {
  const Hull::Range faces = hull.faces_of[static_cast<std::size_t>(vertex)];
  int best = -1;
  double nearest = std::cos(tolerance);
  for (int k = 0; k < faces.count; ++k) {
    const int f = hull.incident[static_cast<std::size_t>(faces.begin + k)];
    if (const double c = dot(n, hull.faces[static_cast<std::size_t>(f)].normal); c > nearest) {
      nearest = c;
      best = f;
    }
  }
  if (best >= 0) {
    const Hull::Face& face = hull.faces[static_cast<std::size_t>(best)];
    const auto corners = hull.corners_of(face);
    Facet out;
    out.dimension = 2;
    out.number = best;
    out.normal = face.normal;
    // a face with more corners than fit is thinned evenly, always the same ones
    const int all = face.count, kept = std::min(all, Facet::kMostCorners);
    for (int i = 0; i < kept; ++i) {
      const int v = corners[static_cast<std::size_t>(i * all / kept)];
      out.add(vertex_of(hull, v), v);
    }
    return out;
  }
  const Hull::Range neighbors = hull.neighbors_of[static_cast<std::size_t>(vertex)];
  int partner = -1;
  double least = tolerance;
  for (int k = 0; k < neighbors.count; ++k) {
    const int v = hull.neighbors[static_cast<std::size_t>(neighbors.begin + k)];
    if (const double c = std::abs(dot(n, unit(vertex_of(hull, v) - vertex_of(hull, vertex)))); c < least) {
      least = c;
      partner = v;
    }
  }
  if (partner >= 0) return edge_facet(vertex_of(hull, vertex), vertex, vertex_of(hull, partner), partner, n);
  return point_facet({vertex_of(hull, vertex), vertex}, n);
}

/// Cap as an octagon (numbers 0 to 7 on the upper, 8 to 15 on the lower one), side as a line, or a point of the rim.
Facet cylinder_facet(const Solid& s, const Vec3<double>& n, double tolerance, int& hint) {
  const double rho = std::sqrt(n[0] * n[0] + n[1] * n[1]), z = std::copysign(s.half[2], n[2]);
  const int cap = n[2] > 0.0 ? 0 : 8;
  if (rho < tolerance) {
    Facet out;
    out.dimension = 2;
    out.number = cap;
    out.normal = axis_vector(2, n[2] > 0.0 ? 1.0 : -1.0);
    const RimPhase phase(n);
    const int first = 2 * phase.quadrant;
    constexpr double kHalf = std::numbers::sqrt2 / 2.0;
    for (int i = 0; i < 8; ++i) {
      const int k = n[2] > 0.0 ? i : (8 - i) % 8;  // eighths of a turn
      const Vec3<double> whole = phase.turned(k / 2), next = phase.turned(k / 2 + 1);
      const Vec3<double> radial = k % 2 == 0 ? whole : kHalf * (whole + next);
      out.add(s.half[0] * radial + Vec3<double>{0.0, 0.0, z}, cap + (first + k) % 8);
    }
    return out;
  }
  if (std::abs(n[2]) < tolerance) {
    const double x = s.half[0] * n[0] / rho, y = s.half[0] * n[1] / rho;
    return edge_facet({x, y, -s.half[2]}, 16, {x, y, s.half[2]}, 17, n);
  }
  SupportPoint p = support(s, n, hint);
  p.vertex = 18 + cap;
  return point_facet(p, n);
}

Facet triangle_facet(const Solid& s, const Vec3<double>& n, double tolerance) {
  const Vec3<double> normal = unit(cross(s.corner[1] - s.corner[0], s.corner[2] - s.corner[0]));
  const double c = dot(n, normal);
  if (std::abs(c) > std::cos(tolerance)) {
    Facet out;
    out.dimension = 2;
    out.number = c > 0.0 ? 0 : 1;
    out.normal = c > 0.0 ? normal : -normal;
    for (int i = 0; i < 3; ++i) {
      const int k = c > 0.0 ? i : 2 - i;
      out.add(s.corner[k], k);
    }
    return out;
  }
  int hint = 0;
  const SupportPoint p = support(s, n, hint);
  for (int k = 1; k < 3; ++k) {
    const int q = (p.vertex + k) % 3;
    if (std::abs(dot(n, unit(s.corner[q] - p.x))) < tolerance) return edge_facet(p.x, p.vertex, s.corner[q], q, n);
  }
  return point_facet(p, n);
}

}  // namespace

int features_near(const Solid& s, const Vec3<double>& n, double tolerance, int& hint, Feature (&out)[kMostFeatures]) {
  FeatureList list(out);
  switch (s.kind) {
    case Kind::capsule:
      if (std::abs(n[2]) < tolerance) list.edge({0.0, 0.0, 1.0});
      break;
    case Kind::box: {
      int steep = 0, flat = 0;
      for (int k = 0; k < 3; ++k) {
        if (std::abs(n[k]) < tolerance) {
          list.edge(axis_vector(k, 1.0));
          ++flat;
        }
        if (std::abs(n[k]) > std::abs(n[steep])) steep = k;
      }
      if (flat >= 2) list.face(axis_vector(steep, n[steep] > 0.0 ? 1.0 : -1.0));
      break;
    }
    case Kind::cylinder:
      if (std::abs(n[2]) < tolerance) list.edge({0.0, 0.0, 1.0});
      if (n[0] * n[0] + n[1] * n[1] < tolerance * tolerance) list.face({0.0, 0.0, n[2] > 0.0 ? 1.0 : -1.0});
      break;
    case Kind::hull: {
      const Hull& hull = *s.hull;
      const int vertex = support_vertex(hull, n, hint);
      hint = vertex;
      const Hull::Range faces = hull.faces_of[static_cast<std::size_t>(vertex)],
                        neighbors = hull.neighbors_of[static_cast<std::size_t>(vertex)];
      for (int k = 0; k < faces.count; ++k) {
        const auto& face =
            hull.faces[static_cast<std::size_t>(hull.incident[static_cast<std::size_t>(faces.begin + k)])];
        if (dot(n, face.normal) > std::cos(tolerance)) list.face(face.normal);
      }
      for (int k = 0; k < neighbors.count; ++k) {
        const int v = hull.neighbors[static_cast<std::size_t>(neighbors.begin + k)];
        const Vec3<double> e = unit(vertex_of(hull, v) - vertex_of(hull, vertex));
        if (std::abs(dot(n, e)) < tolerance) list.edge(e);
      }
      break;
    }
    case Kind::triangle: {
      const Vec3<double> normal = unit(cross(s.corner[1] - s.corner[0], s.corner[2] - s.corner[0]));
      if (const double c = dot(n, normal); std::abs(c) > std::cos(tolerance)) list.face(c > 0.0 ? normal : -normal);
      for (int k = 0; k < 3; ++k) {
        const Vec3<double> e = unit(s.corner[(k + 1) % 3] - s.corner[k]);
        if (std::abs(dot(n, e)) < tolerance) list.edge(e);
      }
      break;
    }
    default: break;
  }
  return list.count();
}

Facet facet_near(const Solid& s, const Vec3<double>& n, double tolerance, int& hint) {
  switch (s.kind) {
    case Kind::box: return box_facet(s, n, tolerance);
    case Kind::cylinder: return cylinder_facet(s, n, tolerance, hint);
    case Kind::hull: hint = support_vertex(*s.hull, n, hint); return hull_facet(*s.hull, n, tolerance, hint);
    case Kind::triangle: return triangle_facet(s, n, tolerance);
    case Kind::capsule:
      if (std::abs(n[2]) < tolerance) return edge_facet(-s.half, 0, s.half, 1, n);
      [[fallthrough]];
    default: return point_facet(support(s, n, hint), n);
  }
}

}  // namespace cardan::collision
