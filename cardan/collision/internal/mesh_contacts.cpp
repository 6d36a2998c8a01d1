#include "cardan/collision/internal/mesh_contacts.hpp"

#include "cardan/collision/internal/clip.hpp"

#include <limits>
#include <numbers>

namespace cardan::collision {
namespace {

constexpr double kFacingTriangle = 0.35;  // angle up to which a facet of a solid faces a triangle
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
  /// Tells whether a contact that is not with the triangle's face is with an edge or corner that cannot be touched.
  bool is_blocked(int t, const LocalContact& c) const;
  /// Clips the facet that a turns to a triangle at its sides.
  void clip(int t, Patch& out) const;

 private:
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

void MeshQuery::clip(int t, Patch& out) const {
  int of_a = 0, of_triangle = 0;
  const Vec3<double>& normal = mesh_.normals[static_cast<std::size_t>(t)];
  Facet triangle = facet_near(triangle_solid(mesh_, t), normal, kFacingTriangle, of_triangle);
  triangle.move(X_);
  const double size = norm(triangle.corner(1) - triangle.corner(0));
  clip_facet(triangle, facet_near(a_, -(X_.R * normal), kFacingTriangle, of_a), false, 1e-6 * size, out);
}

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

/// Contacts of a solid with triangles, those of one direction together.
class MeshGroups {
 public:
  MeshGroups(double slack, const PairMemory& memory) : slack_(slack), memory_(memory) {}

  int count = 0;
  void add(const Contact& c, int part);
  /// Appends the most important of each group.
  void emit(int most, Manifold& out);

 private:
  struct Group {
    Vec3<double> n;
    Patch patch;
    Contact contact[kMostPatchPoints];  // as added, with their names in the patch
  };
  static constexpr double kSameDirection = 0.999;
  static constexpr int kMostGroups = 6;
  /// Leaves the most important points.
  void shorten(Group& group, int most) const;

  double slack_;
  const PairMemory& memory_;
  Group groups_[kMostGroups];
};

void MeshGroups::add(const Contact& c, int part) {
  int g = 0;
  while (g < count && dot(groups_[g].n, c.normal) < kSameDirection) ++g;
  if (g == kMostGroups) return;
  if (g == count) groups_[count++].n = c.normal;
  Group& group = groups_[g];
  for (int i = 0; i < group.patch.count(); ++i)  // neighbors share corners
    if (norm(group.patch[i].a - c.point_a) < 1e-9 * (1.0 + norm(c.point_a))) return;
  if (group.patch.is_full()) shorten(group, kMostPatchPoints / 2);
  Contact& kept = group.contact[group.patch.count()];
  kept = c;
  kept.name_b = c.name_b ^ (static_cast<std::uint32_t>(part + 1) * 64);
  kept.part_b = part;
  group.patch.add({c.point_a, c.point_b, c.gap, kept.name_a, kept.name_b, c.feature_a.fixed});
}

void MeshGroups::shorten(Group& group, int most) const {
  const Patch all = group.patch;
  reduce(group.patch, most, group.n, slack_, memory_);
  int next = 0;
  for (int i = 0; i < group.patch.count(); ++i) {
    while (all[next].name_a != group.patch[i].name_a || all[next].name_b != group.patch[i].name_b) ++next;
    group.contact[i] = group.contact[next];
  }
}

void MeshGroups::emit(int most, Manifold& out) {
  for (int g = 0; g < count; ++g) {
    shorten(groups_[g], most);
    for (int i = 0; i < groups_[g].patch.count() && out.count < Manifold::kMost; ++i)
      out.contact[out.count++] = groups_[g].contact[i];
  }
}

}  // namespace

LocalContact nearest_to_mesh(const Solid& a, const Solid& b, const Pose<double>& X) {
  return MeshQuery(a, *b.mesh, X).nearest();
}

void mesh_manifold(const Solid& a, const Solid& b, const Pose<double>& X, const ManifoldOptions& options,
                   PairMemory& memory, Manifold& out) {
  const MeshQuery query(a, *b.mesh, X);
  const double slack = 1e-7 * norm(query.box().high - query.box().low);
  MeshGroups groups(slack, memory);
  b.mesh->tree.overlapping(query.box().grown(std::max(options.margin, 0.0)), [&](int t) {
    bool blocked = false;
    const LocalContact c = query.with_triangle(t, blocked);
    if (blocked || c.gap > options.margin) return;
    const Vec3<double> up = query.outward(t);
    if (a.kind != Kind::torus && dot(c.n, up) < -std::cos(kFacingTriangle)) {
      // every triangle that is faced pushes along its own normal, so that those of one plane are one plane
      Patch patch;
      query.clip(t, patch);
      for (int i = 0; i < patch.count(); ++i) {
        const double gap = patch[i].gap - a.radius;
        if (gap > options.margin) continue;
        Contact point;
        point.gap = gap;
        point.normal = -up;
        point.point_a = patch[i].a - a.radius * up;
        point.point_b = point.point_a - gap * up;
        point.name_a = patch[i].name_a;
        point.name_b = patch[i].name_b;
        point.feature_a =
            c.feature_a.dimension > 0 && a.kind != Kind::box && a.kind != Kind::hull ? c.feature_a : Feature{};
        point.feature_b = {2, up};
        groups.add(point, t);
      }
      if (patch.count() > 0) return;
    }
    if (!query.is_blocked(t, c)) groups.add(as_contact(c), t);
  });
  if (groups.count == 0) {  // all inside, or nothing
    const LocalContact c = query.nearest();
    if (c.gap <= options.margin) groups.add(as_contact(c), c.part_b);
  }
  groups.emit(options.most, out);
}

}  // namespace cardan::collision
