#include "cardan/integrate/event.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// A root between a and b, where f has opposite signs fa and fb: false position with halved weights (Illinois), and
/// bisection wherever three of its steps have not halved the interval.
double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb, double tolerance) {
  double length = std::abs(b - a);
  for (int i = 0; std::abs(b - a) > tolerance && fb != 0.0; ++i) {
    double c = b - fb * (b - a) / (fb - fa);
    if (i % 3 == 2) {
      if (std::abs(b - a) > 0.5 * length) c = 0.5 * (a + b);
      length = std::abs(b - a);
    }
    // at least a little away from both ends, so that the interval closes from both sides
    const double margin = 0.25 * tolerance, low = std::min(a, b), high = std::max(a, b);
    c = std::clamp(c, low + margin, high - margin);
    if (!(c > low && c < high)) break;
    const double fc = f(c);
    if ((fc > 0.0) == (fb > 0.0) && fc != 0.0) {
      fa *= 0.5;
    } else {
      a = b;
      fa = fb;
    }
    b = c;
    fb = fc;
  }
  return b;
}

bool wanted(EventOptions::Direction direction, double before, double after) {
  if (before == 0.0 || (after != 0.0 && (before > 0.0) == (after > 0.0))) return false;
  switch (direction) {
    case EventOptions::Direction::rising: return before < 0.0;
    case EventOptions::Direction::falling: return before > 0.0;
    case EventOptions::Direction::either: return true;
  }
  return false;
}

}  // namespace

std::optional<Event> locate_event(const Integrator& integrator, const EventFunction& function,
                                  const EventOptions& options) {
  const double start = integrator.previous_time(), end = integrator.time();
  Event event{start, integrator.state()};
  const auto value = [&](double t) {
    integrator.interpolate(t, event.state);
    return function(event.state, t);
  };
  const int samples = std::max(options.samples, 1);
  double t0 = start, f0 = value(start);
  for (int i = 1; i <= samples; ++i) {
    const double t1 = i == samples ? end : start + (end - start) * i / samples;
    const double f1 = value(t1);
    if (wanted(options.direction, f0, f1)) {
      const double tolerance = options.tolerance * std::max({std::abs(start), std::abs(end), end - start});
      event.time = find_root(value, t0, f0, t1, f1, tolerance);
      integrator.interpolate(event.time, event.state);
      return event;
    }
    f0 = f1;
    t0 = t1;
  }
  return std::nullopt;
}

}  // namespace cardan
