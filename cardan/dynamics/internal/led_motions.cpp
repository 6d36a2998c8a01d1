#include "cardan/dynamics/internal/led_motions.hpp"

#include "cardan/dynamics/step_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kLeft = 1e-6;       // of a velocity that is not followed: relative, or m/s and rad/s
constexpr double kSamePlace = 1e-6;  // m or rad

}  // namespace

bool leads(const Constraints& constraints) {
  return std::any_of(constraints.begin(), constraints.end(), [](const auto& c) { return !c->is_workless(); });
}

double relative_change(std::span<const double> before, std::span<const double> after) {
  double change = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    change = std::max(change, std::abs(after[i] - before[i]));
    largest = std::max(largest, std::abs(after[i]));
  }
  return largest > 0.0 ? change / largest : 0.0;
}

Projection led_by(const ConstraintSet& set, const State& state) {
  double fastest = 1.0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  Projection out{Projection::Result::changed};
  for (int i = 0; i < set.size(); ++i) {
    if (set.constraint(i).is_workless()) continue;
    const double drift = set.rows_of(i).drift.lpNorm<Eigen::Infinity>();
    if (drift <= kLeft * fastest || drift <= out.gap) continue;
    out = {Projection::Result::failed, set.constraint(i).name(), drift, true};
  }
  return out;
}

void require_no_gap(double t, const std::string& motion, std::span<const double> gap) {
  for (const double x : gap)
    if (!(std::abs(x) <= kSamePlace))
      throw StepFailure(t, {}, fmt::format("{}: its position jumps by {:.3g} m or rad", motion, std::abs(x)));
}

void require_no_gap(double t, const ConstraintSet& set) {
  for (int i = 0; i < set.size(); ++i)
    if (!set.constraint(i).is_workless()) {
      const Eigen::VectorXd& gap = set.rows_of(i).gap;
      require_no_gap(t, set.constraint(i).name(), std::span(gap.data(), static_cast<std::size_t>(gap.size())));
    }
}

}  // namespace cardan
