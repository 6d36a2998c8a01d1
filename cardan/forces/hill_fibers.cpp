#include "cardan/forces/hill_fibers.hpp"

#include <algorithm>
#include <cmath>

namespace cardan::muscle {

namespace {

constexpr double kLeastDamping = 0.001;  // below it fibers count as undamped

}  // namespace

HillFibers::HillFibers(const Size& size, const std::variant<ThelenShape, MillardShape>& shape) : size_(size) {
  width_ = size.optimal_length * std::sin(size.pennation);
  const double cosine = 0.1;
  shortest_ = std::max(width_ / std::sqrt(1.0 - cosine * cosine) / size.optimal_length, 1e-3);
  if (size_.fiber_damping < kLeastDamping) size_.fiber_damping = 0.0;
  if (const auto* thelen = std::get_if<ThelenShape>(&shape)) {
    thelen_ = *thelen;
    return;
  }
  const bool is_damped = size_.fiber_damping > 0.0 || !size.elastic_tendon;
  millard_.emplace(std::get<MillardShape>(shape), is_damped);
  shortest_ = std::max(shortest_, millard_->active.first().x);
}

double HillFibers::spanning(double s) const {
  return std::max(std::hypot(std::max(s, 0.0), width_) / size_.optimal_length, shortest_);
}

double HillFibers::solved_speed(double activation, double active, double wanted) const {
  const double beta = size_.fiber_damping;
  double v = 0.0;
  if (thelen_) {
    v = (0.25 + 0.75 * activation) * thelen_speed_of_factor(*thelen_, wanted / active);
  } else if (beta == 0.0) {
    v = (*millard_->speed_inverse)(wanted / active);
  } else {
    // Newton's method between bounds: the force rises with the speed
    double low = -(std::abs(wanted) + 2.0 * active) / beta, high = (std::abs(wanted) + 2.0 * active) / beta;
    for (int i = 0; i < 200; ++i) {
      const Dual<2> factor = millard_->speed(Dual<2>::variable(v, 0));
      const double error = active * factor.value + beta * v - wanted;
      (error > 0.0 ? high : low) = v;
      double next = v - error / (active * factor.d[0] + beta);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - v) <= 1e-15 * std::max(1.0, std::abs(v))) break;
      v = next;
    }
  }
  return v;
}

double HillFibers::balanced(double activation, double path_length, double along_speed, double max_velocity) const {
  const auto excess = [&](double x) {  // of the fibers' force
    const double c = cosine(x), v = along_speed * c / (size_.optimal_length * max_velocity);
    const double fibers =
        activation * active_length(x) * speed_factor(activation, v) + passive_length(x) + size_.fiber_damping * v;
    return fibers * c - tendon(path_length, x);
  };
  double low = shortest_, high = spanning(path_length - size_.slack_length);
  if (!(high > low) || excess(low) >= 0.0) return low;
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace cardan::muscle
