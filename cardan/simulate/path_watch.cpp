#include "cardan/simulate/path_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

std::string describe(const PathEvent& event) {
  switch (event.kind) {
    case PathEvent::Kind::touches: return event.line + " comes to lie on its surface";
    case PathEvent::Kind::lifts_off: return event.line + " lifts off its surface";
    case PathEvent::Kind::jumps: break;
  }
  return fmt::format(
      "{}: its path jumps from {:.4g} m to {:.4g} m: it changes the side of a surface, or a point of it comes or goes",
      event.line, event.from, event.to);
}

PathWatch::PathWatch(const System& system) : kinematics_(system.model()) {
  for (const auto& force : system.forces())
    if (auto line = std::dynamic_pointer_cast<const LineForce>(force)) {
      const auto& points = line->path().points();
      if (!line->path().wraps().empty() ||
          std::any_of(points.begin(), points.end(), [](const PathPoint& p) { return p.when.has_value(); }))
        lines_.push_back(std::move(line));
    }
}

PathWatch::View PathWatch::view(const LineForce& line, const Instant& at) {
  const PathShape& shape = line.shape_at(at, WrapSurface::Want::slopes, shape_);
  View out;
  for (const PathWrap& wrap : line.path().wraps())
    out.there.push_back(std::any_of(shape.segments.begin(), shape.segments.end(),
                                    [&](const PathShape::Segment& s) { return s.wrap == &wrap; }));
  out.touched = static_cast<int>(std::count(out.there.begin(), out.there.end(), true));
  for (std::size_t k = 0; k < line.path().points().size(); ++k)
    out.there.push_back(std::any_of(shape.nodes.begin(), shape.nodes.end(), [&](const PathShape::Node& node) {
      return !node.is_free && node.point == static_cast<int>(k);
    }));
  out.length = shape.length;
  out.speed = shape.speed;
  return out;
}

std::vector<PathWatch::View> PathWatch::view_all(double t, const State& state) {
  const Instant at = kinematics_.at(t, state.q, state.v);
  std::vector<View> out;
  for (const auto& line : lines_) out.push_back(view(*line, at));
  return out;
}

void PathWatch::start(double t, const State& state) {
  t_ = t;
  last_ = view_all(t, state);
}

void PathWatch::look(double t, const State& state, const std::function<State(double)>& state_at,
                     std::vector<PathEvent>& out) {
  std::vector<View> views = view_all(t, state);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const View& now = views[i];
    const double explained = (t - t_) * std::max(std::abs(last_[i].speed), std::abs(now.speed));
    const bool may_jump = std::abs(now.length - last_[i].length) > explained + 0.01 * last_[i].length;
    if (now.there != last_[i].there || may_jump) locate(*lines_[i], last_[i], now, t_, t, state_at, out);
  }
  last_ = std::move(views);
  t_ = t;
}

/// Halves the step until the change is at one instant, then says what it is.
void PathWatch::locate(const LineForce& line, View before, View after, double t0, double t1,
                       const std::function<State(double)>& state_at, std::vector<PathEvent>& out) {
  const bool by_contact = before.there != after.there;
  const double step = t1 - t0;
  while (t1 - t0 > 1e-12 * std::max(std::abs(t1), step)) {
    const double middle = 0.5 * (t0 + t1);
    if (middle <= t0 || middle >= t1) break;
    const State state = state_at(middle);
    View there = view(line, kinematics_.at(middle, state.q, state.v));
    const bool is_after = by_contact ? there.there != before.there
                                     : std::abs(there.length - after.length) < std::abs(there.length - before.length);
    (is_after ? t1 : t0) = middle;
    (is_after ? after : before) = std::move(there);
  }
  constexpr double kJump = 1e-7;  // of the length: less is rounding
  PathEvent event{t1, line.name(), PathEvent::Kind::jumps, before.length, after.length};
  if (std::abs(after.length - before.length) <= kJump * before.length) {
    if (after.touched == before.touched) return;  // a point that comes or goes on the straight line: nothing to feel
    event.kind = after.touched > before.touched ? PathEvent::Kind::touches : PathEvent::Kind::lifts_off;
  }
  out.push_back(std::move(event));
}

}  // namespace cardan
