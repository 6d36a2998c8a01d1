#include "cardan/forces/internal/placed_wraps.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cardan::detail {

namespace {

constexpr std::size_t kMostBetween = 2;

/// The ends of a straight line in the frame of a wrap's surface.
std::pair<Vec3<double>, Vec3<double>> ends_at(const Instant& at, const PathWrap& wrap, const PathShape::Node& a,
                                              const PathShape::Node& b) {
  const Transform<double> X = wrap.X * at.X_0(wrap.body);
  return {X.E * (a.X - X.r), X.E * (b.X - X.r)};
}

/// Tells whether a wrap of a range of points may be between two nodes.
bool may_be_between(const PathWrap& wrap, int from, int to) {
  if (!wrap.has_range()) return from <= wrap.after && wrap.after < to;
  return from >= wrap.after && to <= wrap.until + 1;
}

/// By how much the straight line grows round the surface; infinite where it does not touch it.
double growth(const Instant& at, const PathWrap& wrap, const PathShape::Node& a, const PathShape::Node& b) {
  const auto [P, S] = ends_at(at, wrap, a, b);
  const WrappedCurve curve = wrap.surface->wrap(P, S, WrapSurface::Want::slopes);
  return curve.touches ? curve.length - norm(S - P) : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::vector<const PathWrap*>> placed_wraps(const Instant& at, const std::vector<PathWrap>& wraps,
                                                       const PathShape& shape) {
  const std::size_t pairs = shape.nodes.size() - 1;
  std::vector<std::vector<const PathWrap*>> out(pairs);
  std::vector<const PathWrap*> elsewhere;
  const auto between = [&](const PathWrap& wrap, std::size_t i) {
    return may_be_between(wrap, shape.nodes[i].point, shape.nodes[i + 1].point);
  };
  for (const PathWrap& wrap : wraps) {
    std::size_t places = 0, best = pairs;
    for (std::size_t i = 0; i < pairs; ++i)
      if (between(wrap, i)) {
        ++places;
        best = i;
      }
    if (places > 1) {
      double least = std::numeric_limits<double>::infinity();
      best = pairs;
      for (std::size_t i = 0; i < pairs; ++i) {
        if (!between(wrap, i)) continue;
        const double more = growth(at, wrap, shape.nodes[i], shape.nodes[i + 1]);
        if (more >= least) continue;
        least = more;
        best = i;
      }
      if (best == pairs) elsewhere.push_back(&wrap);
    }
    if (best == pairs) continue;
    if (out[best].size() < kMostBetween)
      out[best].push_back(&wrap);
    else if (growth(at, wrap, shape.nodes[best], shape.nodes[best + 1]) < std::numeric_limits<double>::infinity())
      throw std::runtime_error("three surfaces lie between two of its points, where two can be followed");
  }
  for (const PathWrap* wrap : elsewhere)
    for (std::size_t i = 0; i < pairs; ++i)
      if (out[i].size() == 1 && between(*wrap, i)) {
        out[i].push_back(wrap);
        break;
      }
  for (std::size_t i = 0; i < pairs; ++i) {
    std::vector<const PathWrap*>& here = out[i];
    if (here.size() < 2 || (!here[0]->has_range() && !here[1]->has_range())) continue;
    const auto part = [&](const PathWrap* wrap) {
      const auto [P, S] = ends_at(at, *wrap, shape.nodes[i], shape.nodes[i + 1]);
      return wrap->surface->nearest_part(P, S);
    };
    if (part(here[1]) < part(here[0])) std::swap(here[0], here[1]);
  }
  return out;
}

}  // namespace cardan::detail
