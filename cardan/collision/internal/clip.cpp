#include "cardan/collision/internal/clip.hpp"

#include "cardan/collision/internal/core_pair.hpp"

namespace cardan::collision {
namespace {

struct ClipPoint {
  Vec3<double> x;
  std::uint32_t name = 0, side = 0;  // corner or edge of the clipped polygon; side that cut it, 0: none
};

constexpr int kMostClipPoints = 2 * Facet::kMostCorners + 8;
using ClipPolygon = FixedList<ClipPoint, kMostClipPoints>;

constexpr std::uint32_t kCut = 0x10000;  // names above are those of cut edges, not of corners

/// Keeps the part with normal . x <= offset (Sutherland and Hodgman 1974), points above it by less than the square root
/// of `slack` too; false where that is all of it, and `out` is not written. The normal has any length.
bool cut(const ClipPolygon& polygon, const Vec3<double>& normal, double offset, double slack, std::uint32_t side,
         ClipPolygon& out) {
  double above[kMostClipPoints];
  bool inside[kMostClipPoints], all = true;
  const int count = polygon.count();
  for (int i = 0; i < count; ++i) {
    above[i] = dot(normal, polygon[i].x) - offset;
    inside[i] = above[i] <= 0.0 || above[i] * above[i] <= slack;
    all = all && inside[i];
  }
  if (all) return false;
  out.shorten(0);
  for (int i = 0; i < count; ++i) {
    const ClipPoint& p = polygon[i];
    if (inside[i]) out.add(p);
    if (i + 1 == count && count <= 2) break;
    const int next = i + 1 == count ? 0 : i + 1;
    if (inside[i] == inside[next]) continue;
    const ClipPoint& q = polygon[next];
    const double t = above[i] / (above[i] - above[next]);
    out.add({p.x + std::clamp(t, 0.0, 1.0) * (q.x - p.x), kCut | p.name | (q.name << 8), side});
  }
  return true;
}

}  // namespace

void clip_facet(const Facet& face, const Facet& other, bool of_a, double slack, Patch& out) {
  ClipPolygon polygons[2];
  int current = 0;
  for (int i = 0; i < other.count(); ++i)
    polygons[0].add({other.corner(i), static_cast<std::uint32_t>(other.name(i)), 0});
  for (int i = 0; i < face.count(); ++i) {
    const Vec3<double>&p = face.corner(i), &q = face.corner(i + 1 == face.count() ? 0 : i + 1);
    const Vec3<double> outward = cross(q - p, face.normal);
    const auto side = kCut + static_cast<std::uint32_t>(i);
    if (cut(polygons[current], outward, dot(outward, p), slack * slack * dot(outward, outward), side,
            polygons[1 - current]))
      current = 1 - current;
  }
  const ClipPolygon& polygon = polygons[current];
  const double offset = dot(face.normal, face.corner(0));
  const auto number = static_cast<std::uint32_t>(face.number);
  for (int i = 0; i < polygon.count(); ++i) {
    const ClipPoint& p = polygon[i];
    const double gap = dot(face.normal, p.x) - offset;
    const Vec3<double> foot = p.x - gap * face.normal;
    const std::uint32_t on_face = p.side == 0 ? number : p.side;
    if (of_a)
      out.add({foot, p.x, gap, on_face, p.name});
    else
      out.add({p.x, foot, gap, p.name, on_face});
  }
}

void clip_edges(const Facet& a, const Facet& b, const Vec3<double>& n, Patch& out) {
  const Vec3<double> e = a.corner(1) - a.corner(0);
  const double ee = dot(e, e);
  const auto along = [&](const Vec3<double>& x) { return dot(e, x - a.corner(0)) / ee; };
  const double first = along(b.corner(0)), second = along(b.corner(1));
  const int left = first <= second ? 0 : 1;
  const double from = std::max(0.0, std::min(first, second)), to = std::min(1.0, std::max(first, second));
  if (!(from < to)) return;
  const auto add = [&](double t, bool end_of_a, int corner_a, int corner_b) {
    PatchPoint p;
    p.a = a.corner(0) + t * e;
    const double s = (t - first) / (second - first);
    p.b = b.corner(0) + std::clamp(s, 0.0, 1.0) * (b.corner(1) - b.corner(0));
    p.gap = dot(n, p.b - p.a);
    p.name_a = end_of_a ? static_cast<std::uint32_t>(a.name(corner_a)) : kCut;
    p.name_b = end_of_a ? kCut : static_cast<std::uint32_t>(b.name(corner_b));
    out.add(p);
  };
  add(from, from == 0.0, 0, left);
  add(to, to == 1.0, 1, 1 - left);
}

void reduce(Patch& patch, int most, const Vec3<double>& n, double slack, const PairMemory& memory) {
  if (patch.count() <= most) return;
  bool used[kMostPatchPoints] = {};
  int chosen[kMostPatchPoints], count = 0;
  const auto choose = [&](int i) {
    if (i < 0 || used[i]) return;
    used[i] = true;
    chosen[count++] = i;
  };
  double least = patch[0].gap;
  for (int i = 1; i < patch.count(); ++i) least = std::min(least, patch[i].gap);
  // what was chosen before, while the deepest is among it
  bool deepest = false;
  for (int k = 0; k < memory.count && count < most; ++k)
    for (int i = 0; i < patch.count(); ++i)
      if (!used[i] && patch[i].name_a == memory.name_a[k] && patch[i].name_b == memory.name_b[k]) {
        choose(i);
        deepest = deepest || patch[i].gap <= least + slack;
        break;
      }
  if (!deepest || count < most) {
    for (int i = 0; i < count; ++i) used[chosen[i]] = false;
    count = 0;
    const auto best = [&](const auto& measure, double tie) {
      int found = -1;
      double top = 0.0;
      for (int i = 0; i < patch.count(); ++i) {
        if (used[i]) continue;
        const double m = measure(patch[i]);
        if (found < 0 || m > top + tie) {
          found = i;
          top = m;
        }
      }
      return found;
    };
    choose(best([](const PatchPoint& p) { return -p.gap; }, slack));
    const Vec3<double> p = patch[chosen[0]].a;
    choose(best([&](const PatchPoint& x) { return norm(x.a - p); }, slack));
    const Vec3<double> q = patch[chosen[1]].a;
    const auto area = [&](const PatchPoint& x) { return dot(n, cross(q - p, x.a - p)); };
    const double size = norm(q - p);
    choose(best(area, slack * size));
    choose(best([&](const PatchPoint& x) { return -area(x); }, slack * size));
    while (count < most) choose(best([](const PatchPoint& x) { return -x.gap; }, slack));
  }
  Patch kept;
  for (int i = 0; i < patch.count(); ++i)
    if (used[i]) kept.add(patch[i]);
  patch = kept;
}

}  // namespace cardan::collision
