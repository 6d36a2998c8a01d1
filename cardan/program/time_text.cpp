#include "cardan/program/time_text.hpp"

#include "cardan/math/internal/interval.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostStretches = 20'000;  // that are looked at in one search
constexpr double kShortest = 1e-10;     // of a search: a pulse within a shorter stretch may be missed
constexpr double kGuard = 8.0 * std::numeric_limits<double>::epsilon();
constexpr double kSameValue = 1e-9;     // relative: less is rounding, no jump
constexpr double kBend = 0.5;           // of the change over a stretch: by how much a quarter of it may leave its ends
constexpr double kSeen = 0.01;          // of the largest value: what points may leave unseen
constexpr double kShortestSeen = 1e-6;  // of the run: no stretch is divided further

/// The largest parts of the outputs that depend on time alone, and on more than time itself.
std::vector<Expr> parts_of_time(Graph& graph, std::span<const Expr> outputs, const std::vector<Dependence>& depends) {
  std::vector<NodeId> parts;
  const auto add = [&](NodeId id) {
    if (depends[static_cast<std::size_t>(id)] == Dependence::time && graph[id].op != Op::input) parts.push_back(id);
  };
  for (const Expr& e : outputs)
    if (!e.is_constant()) add(graph.node(e));
  for (const NodeId id : reachable(graph, outputs))
    if (depends[static_cast<std::size_t>(id)] == Dependence::state)
      for (int k = 0; k < arity(graph[id].op); ++k) add(graph[id].arg[k]);
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::vector<Expr> out;
  for (const NodeId id : parts) out.push_back(graph.expr(id));
  return out;
}

template <class T>
std::vector<T> run_at(const Interpreter& interpreter, std::size_t inputs, const T& t) {
  const std::vector<T> in(inputs, t);
  std::vector<T> out(static_cast<std::size_t>(interpreter.outputs()));
  run_small<T>(interpreter, in.data(), out.data());
  return out;
}

/// Halves a stretch until divide(stretch) is false, from early to late; at most so many looks.
template <class Divide>
void bisect(TimeText::Stretch whole, const Divide& divide) {
  std::vector<TimeText::Stretch> todo{whole};
  while (!todo.empty()) {
    const TimeText::Stretch now = todo.back();
    todo.pop_back();
    const double middle = 0.5 * (now.begin + now.end);
    if (!divide(now) || !(middle > now.begin && middle < now.end)) continue;
    todo.push_back({middle, now.end});
    todo.push_back({now.begin, middle});
  }
}

}  // namespace

TimeText::TimeText(Graph& graph, std::span<const Expr> outputs, const std::vector<bool>& is_time)
    : inputs_(is_time.size()) {
  const std::vector<Dependence> depends = dependences(graph, is_time);
  const std::vector<Expr> parts = parts_of_time(graph, outputs, depends);
  std::vector<Expr> compared;
  for (const Switch& s : find_switches(graph, parts, depends)) {
    switches_.push_back(s.op);
    compared.push_back(s.a);
    compared.push_back(s.b);
  }
  const int inputs = static_cast<int>(inputs_);
  parts_ = Interpreter(make_program(graph, parts, inputs));
  compared_ = Interpreter(make_program(graph, compared, inputs));
}

std::vector<double> TimeText::values(double t) const { return run_at<double>(parts_, inputs_, t); }

std::vector<double> TimeText::choices(double t) const {
  const std::vector<double> compared = run_at<double>(compared_, inputs_, t);
  std::vector<double> out;
  for (std::size_t i = 0; i < switches_.size(); ++i)
    out.push_back(choose(switches_[i], compared[2 * i], compared[2 * i + 1]));
  return out;
}

bool TimeText::is_decided(const Stretch& stretch) const {
  const auto compared = run_at(compared_, inputs_, Interval(stretch.begin, stretch.end));
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    const Interval &a = compared[2 * i], &b = compared[2 * i + 1];
    if (choose(switches_[i], a.lower, b.upper) != choose(switches_[i], a.upper, b.lower)) return false;
  }
  return true;
}

bool TimeText::jumps_at(double t, double guard, std::span<const double> scale) const {
  const std::vector<double> before = values(t - guard), after = values(t + guard);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double size = std::max({scale[i], std::abs(before[i]), std::abs(after[i])});
    if (!(std::abs(after[i] - before[i]) <= kSameValue * size)) return true;
  }
  return false;
}

void TimeText::add_jumps(double t0, double t1, std::vector<double>& out) const {
  if (switches_.empty() || !(t1 > t0)) return;
  std::vector<double> scale = values(t0);
  const std::vector<double> last = values(t1);
  for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::max(std::abs(scale[i]), std::abs(last[i]));
  int looks = 0;
  bisect({t0, t1}, [&](const Stretch& now) {
    const bool changes = choices(now.begin) != choices(now.end);
    if (!changes && (++looks > kMostStretches || now.end - now.begin < kShortest * (t1 - t0))) return false;
    if (!changes && is_decided(now)) return false;
    const double guard = kGuard * std::max(std::abs(now.end), kShortest * (t1 - t0));
    const bool is_located = now.end - now.begin <= guard;
    if (is_located && changes && jumps_at(now.end, guard, scale)) out.push_back(now.end);
    return !is_located;
  });
}

bool TimeText::is_seen(const Stretch& stretch, std::span<const double> scale) const {
  constexpr int kParts = 4;
  std::vector<double> points[kParts + 1];
  const auto time = [&](int i) { return stretch.begin + (stretch.end - stretch.begin) * i / kParts; };
  for (int i = 0; i <= kParts; ++i) points[i] = values(time(i));
  std::vector<Interval> all;
  for (std::size_t k = 0; k < scale.size(); ++k) {
    Interval range(points[0][k]);
    for (const auto& point : points) range = hull(range, Interval(point[k]));
    all.push_back(range);
  }
  for (int i = 0; i < kParts; ++i) {
    const auto within = run_at(parts_, inputs_, Interval(time(i), time(i + 1)));
    for (std::size_t k = 0; k < scale.size(); ++k) {
      const Interval ends = hull(Interval(points[i][k]), Interval(points[i + 1][k]));
      if (!(within[k].width() - ends.width() <= kSeen * scale[k] + kBend * all[k].width())) return false;
    }
  }
  return true;
}

void TimeText::add_stretches(double t0, double t1, std::vector<Stretch>& out) const {
  std::vector<double> scale;
  const std::vector<double> first = values(t0);
  for (const Interval& all : run_at(parts_, inputs_, Interval(t0, t1))) {
    const double largest = all.magnitude();
    scale.push_back(std::isfinite(largest) ? largest : std::abs(first[scale.size()]));
  }
  int looks = 0;
  bisect({t0, t1}, [&](const Stretch& now) {
    const bool divides =
        ++looks < kMostStretches && now.end - now.begin > kShortestSeen * (t1 - t0) && !is_seen(now, scale);
    if (!divides) out.push_back(now);
    return divides;
  });
}

std::shared_ptr<const TimeText> make_time_text(Graph& graph, std::span<const Expr> outputs,
                                               const std::vector<bool>& is_time) {
  const auto out = std::make_shared<const TimeText>(graph, outputs, is_time);
  return out->is_empty() ? nullptr : out;
}

}  // namespace cardan
