#include "cardan/forces/quintic_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan::muscle {

QuinticCurve::QuinticCurve(const std::vector<End>& ends, const std::vector<double>& curviness) {
  if (ends.size() < 2 || curviness.size() + 1 != ends.size())
    throw std::invalid_argument("a curve must have two ends or more and a curviness for each section");
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const End &a = ends[k], &b = ends[k + 1];
    const double c = curviness[k];
    if (!(a.x < b.x)) throw std::invalid_argument("the ends of a muscle curve must rise in x");
    if (!(c >= 0.0 && c <= 1.0)) throw std::invalid_argument("the curviness of a muscle curve must be from 0 to 1");
    const double turn = a.slope - b.slope;
    const double x = std::abs(turn) > 1.5e-8 ? (b.y - a.y - b.x * b.slope + a.x * a.slope) / turn : 0.5 * (a.x + b.x);
    const double y = (x - b.x) * b.slope + b.y;
    if (!(x >= a.x && x <= b.x)) throw std::invalid_argument("the slopes of a muscle curve must form a corner");
    const double x_a = a.x + c * (x - a.x), x_b = b.x + c * (x - b.x), y_a = a.y + c * (y - a.y),
                 y_b = b.y + c * (y - b.y);
    sections_.push_back({{a.x, x_a, x_a, x_b, x_b, b.x}, {a.y, y_a, y_a, y_b, y_b, b.y}});
  }
  first_ = ends.front();
  last_ = ends.back();
}

QuinticCurve QuinticCurve::inverse() const {
  QuinticCurve out = *this;
  for (Section& section : out.sections_) {
    if (!(section.y.front() < section.y.back())) throw std::invalid_argument("a curve that is inverted must rise");
    std::swap(section.x, section.y);
  }
  for (End* end : {&out.first_, &out.last_}) {
    if (!(end->slope > 0.0)) throw std::invalid_argument("a curve that is inverted must rise at its ends");
    *end = {end->y, end->x, 1.0 / end->slope};
  }
  return out;
}

const QuinticCurve::Section& QuinticCurve::section_at(double x) const {
  for (const Section& section : sections_)
    if (x <= section.x.back()) return section;
  return sections_.back();
}

/// Newton's method between bounds: x(u) rises.
double QuinticCurve::parameter(const Section& section, double x) {
  double low = 0.0, high = 1.0, u = (x - section.x.front()) / (section.x.back() - section.x.front());
  for (int i = 0; i < 100; ++i) {
    const double error = value(section.x, u) - x, rate = slope(section.x, u);
    (error > 0.0 ? high : low) = u;
    double next = rate > 0.0 ? u - error / rate : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - u) <= 1e-15) return next;
    u = next;
  }
  return u;
}

}  // namespace cardan::muscle
