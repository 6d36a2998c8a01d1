// Convex pairs: nearest() says whether a face's normal attains the gap. If so, the facet of the other solid that faces
// it is clipped at the face's sides; two nearly parallel edges give the ends of their overlap; else there is one point.
// All in the frame of a and of the cores; radii are added at the end.
#include "cardan/collision/manifold.hpp"

#include "cardan/collision/internal/clip.hpp"
#include "cardan/collision/internal/mesh_contacts.hpp"
#include "cardan/collision/internal/nearest_parts.hpp"
#include "cardan/collision/nearest.hpp"

namespace cardan::collision {
namespace {

constexpr double kFacing = 0.35;      // angle up to which a facet faces another: beyond, its far corners are far away
constexpr double kFacingPlane = 0.8;  // the same for the endless plane, which clips nothing
constexpr double kParallel = 1e-3;    // angle within which edges count as parallel
constexpr double kFlicker = 1e-3;     // of the size: gaps above the least that still belong to it
constexpr std::uint32_t kNearest = 0x20000;  // name of the nearest points themselves
constexpr double kSlack = 1e-7;              // of the size: what does not decide
// of the size: by how much an edge pair may be nearer than a face that stands for it. Boxes that are tilted by less
// than its root against each other keep their four points, and do not turn about one edge after the other.
constexpr double kFaceSlack = 1e-5;

double facet_size(const Facet& facet) {
  double most = 0.0;
  for (int i = 1; i < facet.count(); ++i) {
    const Vec3<double> away = facet.corner(i) - facet.corner(0);
    most = std::max(most, dot(away, away));
  }
  return std::sqrt(most);
}

/// Removes what is beyond the margin and does not belong to the nearest points.
void drop_far(Patch& patch, double margin, double flicker) {
  double least = patch.count() > 0 ? patch[0].gap : 0.0;
  for (int i = 1; i < patch.count(); ++i) least = std::min(least, patch[i].gap);
  const double limit = std::max(margin, least + flicker);
  int kept = 0;
  for (int i = 0; i < patch.count(); ++i)
    if (patch[i].gap <= limit) {
      if (kept != i) patch[kept] = patch[i];
      ++kept;
    }
  patch.shorten(kept);
}

struct PairView {
  const Solid& a;
  const Solid& b;
  Pose<double> X;  // of b in the frame of a
  const ManifoldOptions& options;
  PairMemory& memory;
  double radii() const { return a.radius + b.radius; }
};

void emit(const PairView& view, const PatchPoint& p, const Vec3<double>& n, const Feature& of_a, const Feature& of_b,
          Manifold& out) {
  if (out.count == Manifold::kMost) return;
  Contact& c = out.contact[out.count++];
  c.gap = p.gap - view.radii();
  c.normal = n;
  c.point_a = p.a + view.a.radius * n;  // point_b follows from it
  c.name_a = p.name_a;
  c.name_b = p.name_b;
  c.feature_a = of_a;
  c.feature_b = of_b;
  c.part_a = c.part_b = -1;
}

void emit_single(const LocalContact& c, const PairView& view, std::uint32_t name_a, std::uint32_t name_b,
                 Manifold& out) {
  const PatchPoint p{c.a - view.a.radius * c.n, c.b + view.b.radius * c.n, c.gap + view.radii(), name_a, name_b, false};
  emit(view, p, c.n, c.feature_a, c.feature_b, out);
}

void plane_manifold(const PairView& view, Manifold& out) {
  const LocalContact lowest = nearest_to_plane(view.a, view.X, view.memory);
  if (lowest.gap > view.options.margin) return;
  const Vec3<double> n = lowest.n;
  const double offset = dot(n, view.X.p);
  Patch patch;
  double size = 0.0;
  const auto add = [&](const Vec3<double>& x, std::uint32_t name, bool fixed) {
    const double gap = offset - dot(n, x);
    patch.add({x, x + gap * n, gap, name, 0, fixed});
  };
  if (view.a.kind == Kind::torus) {
    // four points of the center circle, one at the lowest
    const double R = view.a.half[0];
    const RimPhase phase(n);
    for (int k = 0; k < 4; ++k)
      add(R * phase.turned(k), static_cast<std::uint32_t>((phase.quadrant + k) % 4), k > 0 || !phase.tilted);
    size = R;
  } else if (view.a.kind == Kind::mesh) {
    const auto& vertices = view.a.mesh->vertices;
    size = norm(view.a.mesh->tree.bounds().high - view.a.mesh->tree.bounds().low);
    const double limit = std::max(view.options.margin, lowest.gap + kFlicker * size);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (offset - dot(n, vertices[i]) <= limit) add(vertices[i], static_cast<std::uint32_t>(i), false);
  } else {
    const Facet facet = facet_near(view.a, n, kFacingPlane, view.memory.hint_a);
    size = facet_size(facet);
    const bool disc = view.a.kind == Kind::cylinder && facet.dimension == 2;
    const bool tilted = disc && n[0] * n[0] + n[1] * n[1] > 1e-18;
    for (int i = 0; i < facet.count(); i += disc ? 2 : 1)  // of an octagon every other corner will do
      add(facet.corner(i), static_cast<std::uint32_t>(facet.name(i)), disc && !(tilted && i == 0));
  }
  drop_far(patch, view.options.margin + view.a.radius, kFlicker * size);
  reduce(patch, view.options.most, n, kSlack * size, view.memory);
  for (int i = 0; i < patch.count(); ++i) {
    Feature of_a = view.a.kind == Kind::torus && !patch[i].fixed ? lowest.feature_a : Feature{};
    of_a.fixed = patch[i].fixed;
    emit(view, patch[i], n, of_a, lowest.feature_b, out);
  }
}

/// Leaves every other corner of an octagon that lies on the face as a whole: a disc needs no more.
void thin_out(Patch& patch, std::uint32_t PatchPoint::*on_face, const Facet& face) {
  if (patch.count() != 8) return;
  for (int i = 0; i < 8; ++i)
    if (patch[i].*on_face != static_cast<std::uint32_t>(face.number)) return;
  for (int i = 0; i < 4; ++i) patch[i] = patch[2 * i];
  patch.shorten(4);
}

/// Face of one against what the other turns to it; returns false where that gives no point.
bool face_manifold(const PairView& view, const Facet& face, double face_size, bool of_a, const LocalContact& nearest,
                   Manifold& out) {
  const Vec3<double> n = of_a ? face.normal : -face.normal;
  PairMemory& memory = view.memory;
  Facet other = of_a ? facet_near(view.b, transpose_apply(view.X.R, -n), kFacing, memory.hint_b)
                     : facet_near(view.a, n, kFacing, memory.hint_a);
  if (of_a) other.move(view.X);
  const double size = std::min(face_size, std::max(facet_size(other), kFlicker * face_size));
  Patch patch;
  clip_facet(face, other, of_a, 1e-6 * size, patch);
  if (patch.count() == 0) return false;
  const Solid& round = of_a ? view.b : view.a;
  const bool disc = round.kind == Kind::cylinder && other.dimension == 2;
  if (disc) thin_out(patch, of_a ? &PatchPoint::name_a : &PatchPoint::name_b, face);
  // octagons and what is clipped at them may miss the nearest points: these go in as they are
  double least = patch[0].gap;
  for (int i = 1; i < patch.count(); ++i) least = std::min(least, patch[i].gap);
  if (least > nearest.gap + view.radii() + 1e-9 * face_size)
    patch.add({nearest.a - view.a.radius * nearest.n, nearest.b + view.b.radius * nearest.n, nearest.gap + view.radii(),
               kNearest, kNearest, false});
  drop_far(patch, view.options.margin + view.radii(), kFlicker * size);
  reduce(patch, view.options.most, n, kSlack * size, memory);
  for (int i = 0; i < patch.count(); ++i) {
    const std::uint32_t name = of_a ? patch[i].name_b : patch[i].name_a;
    Feature point;  // corners of a disc's octagon stay with the body, but for the one that touches
    point.fixed =
        disc && !(static_cast<int>(name) == other.name(0) && nearest.gap + view.radii() >= patch[i].gap - 1e-12 * size);
    const Feature plane{2, face.normal};
    emit(view, patch[i], n, of_a ? plane : point, of_a ? point : plane, out);
  }
  return true;
}

void convex_manifold(const PairView& view, Manifold& out) {
  const LocalContact c = nearest_convex(view.a, view.b, view.X, view.memory);
  view.memory.known = true;
  view.memory.n = c.n;
  if (c.gap > view.options.margin) return;
  PairMemory& memory = view.memory;
  const Facet of_a = facet_near(view.a, c.n, kParallel, memory.hint_a);
  Facet of_b = facet_near(view.b, transpose_apply(view.X.R, -c.n), kParallel, memory.hint_b);
  of_b.move(view.X);
  // a face whose normal attains the gap: the larger goes first, a's of equal ones, so that parallel faces do not take
  // turns; discs go last, because their corners are none
  const double size_a = facet_size(of_a), size_b = facet_size(of_b);
  const auto rank = [](const Solid& s, double size) { return s.kind == Kind::cylinder ? 0.0 : size; };
  const double scale = core_size(view.a) + core_size(view.b), lost = c.gap + view.radii() - kFaceSlack * scale;
  CorePair pair(view.a, view.b, view.X, scale);
  pair.hint_a = memory.hint_a;
  pair.hint_b = memory.hint_b;
  const bool face_a = of_a.dimension == 2 && pair.separation(of_a.normal) >= lost;
  const bool face_b = of_b.dimension == 2 && pair.separation(-of_b.normal) >= lost;
  const bool b_first = face_b && rank(view.b, size_b) > 1.01 * rank(view.a, size_a);
  if (b_first && face_manifold(view, of_b, size_b, false, c, out)) return;
  if (face_a && face_manifold(view, of_a, size_a, true, c, out)) return;
  if (face_b && !b_first && face_manifold(view, of_b, size_b, false, c, out)) return;
  if (of_a.dimension >= 1 && of_b.dimension >= 1 && of_a.count() == 2 && of_b.count() == 2) {
    const Vec3<double> e = unit(of_a.corner(1) - of_a.corner(0)), f = unit(of_b.corner(1) - of_b.corner(0));
    if (norm(cross(e, f)) < kParallel) {
      Patch patch;
      clip_edges(of_a, of_b, c.n, patch);
      drop_far(patch, view.options.margin + view.radii(), kFlicker * std::min(size_a, size_b));
      for (int i = 0; i < patch.count(); ++i) emit(view, patch[i], c.n, {}, c.feature_b, out);
      if (patch.count() > 0) return;
    }
  }
  emit_single(c, view, static_cast<std::uint32_t>(of_a.number) | 0x100, static_cast<std::uint32_t>(of_b.number) | 0x100,
              out);
}

void local_manifold(const PairView& view, Manifold& out) {
  if (view.a.is_convex() && view.b.is_convex()) return convex_manifold(view, out);
  if (view.b.kind == Kind::plane) return plane_manifold(view, out);
  if (view.b.kind == Kind::mesh) return mesh_manifold(view.a, view.b, view.X, view.options, view.memory, out);
  const LocalContact c = nearest_of_torus(view.a, view.b, view.X);
  if (c.gap <= view.options.margin) emit_single(c, view, 0, 0, out);
}

/// Tells whether b goes first in local_manifold().
bool is_exchanged(const Solid& a, const Solid& b) {
  const auto rank = [](const Solid& s) {
    return s.kind == Kind::plane ? 3 : s.kind == Kind::mesh ? 2 : s.kind == Kind::torus ? 0 : 1;
  };
  return rank(a) > rank(b);
}

bool equal(const Vec3<double>& a, const Vec3<double>& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/// Takes the contacts from the frame of a to the world. Those of a face have one normal, which is turned once, and what
/// touches is often that face or a point without a direction.
void to_world(const Pose<double>& at_a, PairMemory& memory, Manifold& out) {
  Vec3<double> local, n;
  for (int i = 0; i < out.count; ++i) {
    Contact& c = out.contact[i];
    memory.name_a[i] = c.name_a;
    memory.name_b[i] = c.name_b;
    if (i == 0 || !equal(c.normal, local)) {
      local = c.normal;
      n = at_a.R * local;
    }
    c.normal = n;
    c.point_a = at_a * c.point_a;
    c.point_b = c.point_a + c.gap * n;
    for (Feature* feature : {&c.feature_a, &c.feature_b}) {
      if (feature->dimension == 0) continue;
      if (equal(feature->e, local))
        feature->e = n;
      else if (equal(-feature->e, local))
        feature->e = -n;
      else
        feature->e = at_a.R * feature->e;
    }
  }
}

}  // namespace

void find_manifold(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                   const ManifoldOptions& options, PairMemory& memory, Manifold& out) {
  if (is_exchanged(a, b)) {
    find_manifold(b, at_b, a, at_a, options, memory, out);
    for (int i = 0; i < out.count; ++i) {
      Contact& c = out.contact[i];
      c.normal = -c.normal;
      std::swap(c.point_a, c.point_b);
      std::swap(c.name_a, c.name_b);
      std::swap(c.feature_a, c.feature_b);
      std::swap(c.part_a, c.part_b);
    }
    return;
  }
  const Pose<double> X{transpose(at_a.R) * at_b.R, transpose_apply(at_a.R, at_b.p - at_a.p)};
  out.count = 0;
  local_manifold({a, b, X, options, memory}, out);
  memory.count = out.count;
  to_world(at_a, memory, out);
}

}  // namespace cardan::collision
