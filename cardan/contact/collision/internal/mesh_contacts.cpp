#include "cardan/contact/collision/internal/mesh_contacts.hpp"

#include "cardan/contact/collision/internal/clip.hpp"

#include <limits>
#include <numbers>

namespace cardan::collision {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

Solid triangle_solid(const TriangleMesh& mesh, int t) {
  return make_triangle(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
}

class MeshQuery {
 public:
  MeshQuery(const Solid& a, const TriangleMesh& mesh, const Pose<double>& X)
      : a_(a), mesh_(mesh), X_(X), back_(inverse(X)) {
    const Bounds box = bounds(a, back_.R, back_.p);
    box_ = {box.low, box.high};
  }

  const AxisBox& box() const { return box_; }
  /// Contact with one triangle, seen from outside, in the frame of a. `blocked`: it is with an edge or corner that
  /// nothing can touch alone, so that a neighbor has the contact that counts.
  LocalContact with_triangle(int t, bool& blocked) const;
  LocalContact nearest() const;
  /// Outward normal of a triangle in the frame of a.
  Vec3<double> outward(int t) const { return X_.R * mesh_.normals[static_cast<std::size_t>(t)]; }
  LocalContact along_normal(int t) const;

 private:
  bool is_blocked(int t, const LocalContact& c) const;
  bool is_over(int t, const Vec3<double>& x) const;
  bool center_is_inside(int& nearest_triangle) const;
  Vec3<double> center() const { return back_ * (a_.kind == Kind::hull ? a_.hull->center : Vec3<double>{}); }

  const Solid& a_;
  const TriangleMesh& mesh_;
  Pose<double> X_, back_;
  AxisBox box_;
};

/// Contact along the triangle's own normal: how deep a is below its plane.
LocalContact MeshQuery::along_normal(int t) const {
  LocalContact out;
  const Vec3<double> up = outward(t), p = X_ * mesh_.corner(t, 0);
  int hint = 0;
  out.n = -up;
  out.feature_b = {2, up};
  if (a_.kind == Kind::torus) {
    const Vec3<double> radial = RimPhase(out.n).turned(0);
    out.a = a_.half[0] * radial + a_.radius * out.n;
    out.feature_a = {1, {-radial[1], radial[0], 0.0}, dot(out.n, radial) / a_.half[0]};
  } else {
    out.a = support(a_, out.n, hint).x + a_.radius * out.n;
  }
  out.gap = dot(up, out.a - p);
  out.b = out.a + out.gap * out.n;
  out.part_b = t;
  return out;
}

/// Tells whether a contact that is not with the triangle's face is with an edge or corner that cannot be touched.
bool MeshQuery::is_blocked(int t, const LocalContact& c) const {
  if (c.feature_b.dimension == 2) return false;
  const auto& convex = mesh_.convex_edge[static_cast<std::size_t>(t)];
  // corners and edges that the nearest point lies on
  const Vec3<double> x = back_ * c.b;
  bool on[3];
  double size = 0.0;
  for (int k = 0; k < 3; ++k) size = std::max(size, norm(mesh_.corner(t, (k + 1) % 3) - mesh_.corner(t, k)));
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> p = mesh_.corner(t, k), e = mesh_.corner(t, (k + 1) % 3) - p;
    const double s = std::clamp(dot(x - p, e) / dot(e, e), 0.0, 1.0);
    on[k] = norm(x - (p + s * e)) < 1e-6 * size;
  }
  for (std::size_t k = 0; k < 3; ++k)
    if (on[k] && !convex[k]) return true;
  return false;
}

LocalContact MeshQuery::with_triangle(int t, bool& blocked) const {
  const Solid triangle = triangle_solid(mesh_, t);
  PairMemory memory;
  LocalContact c =
      a_.kind == Kind::torus ? nearest_of_torus(a_, triangle, X_) : nearest_convex(a_, triangle, X_, memory);
  c.part_b = t;
  blocked = false;
  if (c.gap > 0.0) return c;
  if (dot(c.n, outward(t)) < -1e-9 && !is_blocked(t, c)) return c;
  const LocalContact straight = along_normal(t);
  blocked = !is_over(t, back_ * straight.b);
  return blocked ? c : straight;
}

/// Tells whether a point of the triangle's plane is inside it.
bool MeshQuery::is_over(int t, const Vec3<double>& x) const {
  const Vec3<double>& normal = mesh_.normals[static_cast<std::size_t>(t)];
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> p = mesh_.corner(t, k), e = mesh_.corner(t, (k + 1) % 3) - p;
    if (dot(normal, cross(e, x - p)) < -1e-9 * dot(e, e)) return false;
  }
  return true;
}

/// Angle of the triangle as seen from a point of it: inside, on an edge, at a corner.
double angle_at(const TriangleMesh& mesh, int t, const Vec3<double>& x) {
  const Vec3<double> d[3] = {mesh.corner(t, 0) - x, mesh.corner(t, 1) - x, mesh.corner(t, 2) - x};
  const double size = norm(d[0] - d[1]) + norm(d[1] - d[2]), tolerance = 1e-9 * size;
  for (int k = 0; k < 3; ++k)
    if (norm(d[k]) < tolerance) {
      const Vec3<double> p = unit(d[(k + 1) % 3] - d[k]), q = unit(d[(k + 2) % 3] - d[k]);
      return std::atan2(norm(cross(p, q)), dot(p, q));
    }
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> e = d[(k + 1) % 3] - d[k];
    if (norm(cross(e, d[k])) < tolerance * norm(e)) return std::numbers::pi;
  }
  return 2.0 * std::numbers::pi;
}

/// Finds the triangle nearest to the center of a, and on which side of the surface the center is: where an edge or
/// corner is nearest, the normals of all triangles there count, weighted by their angles (Baerentzen and Aanaes 2005).
bool MeshQuery::center_is_inside(int& nearest_triangle) const {
  const Vec3<double> x = center();
  Solid point;
  double best = kNowhere, side = 0.0;
  nearest_triangle = -1;
  const auto wanted = [&](const AxisBox& box) {
    return nearest_triangle < 0 || box.squared_distance({x, x}) <= best * best * (1.0 + 1e-8);
  };
  mesh_.tree.walk(wanted, [&](int t) {
    PairMemory memory;
    const Pose<double> at{Mat3<double>::identity(), -x};
    const LocalContact c = nearest_convex(point, triangle_solid(mesh_, t), at, memory);
    const double distance = std::max(0.0, c.gap);
    if (distance > best * (1.0 + 1e-9)) return;
    if (distance < best * (1.0 - 1e-9)) {
      side = 0.0;
      nearest_triangle = t;
    }
    best = std::min(best, distance);
    const double height = dot(mesh_.normals[static_cast<std::size_t>(t)], x - mesh_.corner(t, 0));
    side += angle_at(mesh_, t, c.b + x) * height;
  });
  return side < 0.0;
}

LocalContact MeshQuery::nearest() const {
  LocalContact best;
  best.gap = kNowhere;
  const auto wanted = [&](const AxisBox& box) {
    const double reach = std::max(best.gap, 0.0);
    return best.gap == kNowhere || box.squared_distance(box_) <= reach * reach;
  };
  LocalContact hidden;  // the deepest of those that others should have
  hidden.gap = kNowhere;
  mesh_.tree.walk(wanted, [&](int t) {
    bool blocked = false;
    const LocalContact c = with_triangle(t, blocked);
    if (LocalContact& least = blocked ? hidden : best; c.gap < least.gap) least = c;
  });
  if (best.gap > 0.0 && hidden.gap < 0.0) best = hidden;
  if (best.gap < 0.0 && mesh_.fills_below) {
    // deep below a landscape the lowest point is under a triangle that the solid need not meet
    const AxisBox column{{box_.low[0], box_.low[1], -kNowhere}, {box_.high[0], box_.high[1], kNowhere}};
    mesh_.tree.overlapping(column, [&](int t) {
      const LocalContact c = along_normal(t);
      if (c.gap < best.gap && is_over(t, back_ * c.b)) best = c;
    });
  }
  // touching nothing, but all inside
  if (best.gap > 0.0 && (mesh_.closed || mesh_.fills_below)) {
    int t = -1;
    if (mesh_.fills_below) {
      const Vec3<double> x = center();
      const AxisBox column{{x[0], x[1], -kNowhere}, {x[0], x[1], kNowhere}};
      bool below = false;
      mesh_.tree.overlapping(column, [&](int i) {
        const Vec3<double> m = mesh_.normals[static_cast<std::size_t>(i)];
        for (int k = 0; k < 3; ++k) {
          const Vec3<double> p = mesh_.corner(i, k), e = mesh_.corner(i, (k + 1) % 3) - p;
          if (e[0] * (x[1] - p[1]) - e[1] * (x[0] - p[0]) < 0.0) return;
        }
        if (dot(m, x - mesh_.corner(i, 0)) < 0.0) {
          below = true;
          t = i;
        }
      });
      if (below) best = along_normal(t);
    } else if (center_is_inside(t)) {
      best = along_normal(t);
    }
  }
  return best;
}

Contact as_contact(const LocalContact& c) {
  Contact out;
  out.gap = c.gap;
  out.normal = c.n;
  out.point_a = c.a;
  out.point_b = c.b;
  out.feature_a = c.feature_a;
  out.feature_b = c.feature_b;
  return out;
}

}  // namespace

LocalContact nearest_to_mesh(const Solid& a, const Solid& b, const Pose<double>& X) {
  return MeshQuery(a, *b.mesh, X).nearest();
}

void mesh_manifold(const Solid& a, const Solid& b, const Pose<double>& X, const ManifoldOptions& options,
                   PairMemory& memory, Manifold& out) {
  const MeshQuery query(a, *b.mesh, X);
  constexpr double kSameDirection = 0.999;
  struct Group {
    Vec3<double> n;
    Patch patch;
    Vec3<double> normal[kMostPatchPoints];
    Feature of_a[kMostPatchPoints], of_b[kMostPatchPoints];
    int part[kMostPatchPoints] = {};
  };
  constexpr int kMostGroups = 6;
  Group groups[kMostGroups];
  int count = 0;
  const auto add = [&](const Contact& c, int part) {
    int g = 0;
    while (g < count && dot(groups[g].n, c.normal) < kSameDirection) ++g;
    if (g == kMostGroups) return;
    if (g == count) groups[count++].n = c.normal;
    Patch& patch = groups[g].patch;
    for (int i = 0; i < patch.count(); ++i)  // neighbors share corners
      if (norm(patch[i].a - c.point_a) < 1e-9 * (1.0 + norm(c.point_a))) return;
    if (patch.is_full()) return;
    groups[g].normal[patch.count()] = c.normal;
    groups[g].of_a[patch.count()] = c.feature_a;
    groups[g].of_b[patch.count()] = c.feature_b;
    groups[g].part[patch.count()] = part;
    const std::uint32_t of_part = static_cast<std::uint32_t>(part + 1) * 64;
    patch.add({c.point_a, c.point_b, c.gap, c.name_a, c.name_b ^ of_part, c.feature_a.fixed});
  };
  bool any = false;
  b.mesh->tree.overlapping(query.box().grown(std::max(options.margin, 0.0)), [&](int t) {
    bool blocked = false;
    const LocalContact c = query.with_triangle(t, blocked);
    if (blocked || c.gap > options.margin) return;
    any = true;
    const bool face = c.feature_b.dimension == 2;
    Manifold local;
    if (face && a.kind != Kind::torus) {
      PairMemory fresh;
      find_manifold(a, {}, make_triangle(b.mesh->corner(t, 0), b.mesh->corner(t, 1), b.mesh->corner(t, 2)), X, options,
                    fresh, local);
      // along the triangle's own normal, from outside
      bool found = false;
      for (int i = 0; i < local.count; ++i)
        if (norm(local.contact[i].normal - c.n) < 1e-9) {
          add(local.contact[i], t);
          found = true;
        }
      if (found) return;
    }
    add(as_contact(c), t);
  });
  if (!any) {  // all inside, or nothing
    const LocalContact c = query.nearest();
    if (c.gap <= options.margin) add(as_contact(c), c.part_b);
  }
  for (int g = 0; g < count; ++g) {
    const Patch all = groups[g].patch;
    reduce(groups[g].patch, options.most, groups[g].n, 1e-7 * norm(query.box().high - query.box().low), memory);
    for (int i = 0; i < groups[g].patch.count() && out.count < Manifold::kMost; ++i) {
      const PatchPoint& p = groups[g].patch[i];
      int source = 0;
      while (all[source].name_a != p.name_a || all[source].name_b != p.name_b) ++source;
      Contact& c = out.contact[out.count++];
      c = {};
      c.gap = p.gap;
      c.normal = groups[g].normal[source];
      c.point_a = p.a;
      c.point_b = p.b;
      c.name_a = p.name_a;
      c.name_b = p.name_b;
      c.feature_a = groups[g].of_a[source];
      c.feature_b = groups[g].of_b[source];
      c.part_b = groups[g].part[source];
    }
  }
}

}  // namespace cardan::collision
