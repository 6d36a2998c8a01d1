// Fibers and tendon of a muscle with the curves of Thelen or Millard. The own state of an elastic one is x, the fiber
// length by the optimal one, as in OpenSim: with width w = l_o sin(alpha_o) and cos(alpha) = sqrt(1 - (w/l_m)^2)
//   tension T = F_o f_T(y),  y = (l - l_m cos(alpha))/l_s
//   dx/dt = v_max v, where v bears the tension: a f_L(x) f_V(v) + f_P(x) + beta v = T/(F_o cos(alpha))
// Fibers are never shorter than x_min: where the pennation is acos(0.1), of Millard's curves also where f_L begins.
#pragma once

#include "cardan/forces/hill_curves.hpp"

#include <variant>

namespace cardan::muscle {

class HillFibers {
 public:
  struct Size {
    double max_force = 0.0, optimal_length = 0.0, slack_length = 0.0, pennation = 0.0;
    double fiber_damping = 0.0;  // beta
    bool elastic_tendon = false;
  };
  /// Throws std::invalid_argument where the numbers make no curves.
  HillFibers(const Size& size, const std::variant<ThelenShape, MillardShape>& shape);

  double shortest() const { return shortest_; }
  double active(double x) const { return active_length(x); }
  double passive(double x) const { return passive_length(x); }
  /// Fiber length that spans s along the tendon, by the optimal one and not below the shortest.
  double spanning(double s) const;
  template <class T>
  T cosine(const T& x) const {
    const T sine = T(width_ / size_.optimal_length) / x, square = T(1.0) - sine * sine;
    return sqrt(select_less(square, T(0.0), T(0.0), square));
  }

  /// Tendon force by the maximal one at this length of the path.
  template <class T>
  T tendon(const T& path_length, const T& x) const {
    const T length = select_less(x, T(shortest_), T(shortest_), x);
    return tendon_force((path_length - length * T(size_.optimal_length) * cosine(length)) / T(size_.slack_length));
  }
  /// Normalized fiber speed at which fibers bear the tendon's force. It is solved for on numbers; its derivatives are
  /// those of the balance F(v) = 0: dv = -dF/F'.
  template <class T>
  T speed(const T& activation, const T& path_length, const T& x) const {
    const T length = select_less(x, T(shortest_), T(shortest_), x);
    const T wanted = tendon(path_length, length) / cosine(length) - passive_length(length);
    const T active = activation * active_length(length);
    const double a = value_of(activation), v = solved_speed(a, value_of(active), value_of(wanted));
    if (value_of(x) <= shortest_ && v < 0.0) return T(0.0);
    if constexpr (std::same_as<T, double>) return v;
    const T left = active * speed_factor(activation, T(v)) + T(size_.fiber_damping * v) - wanted;
    const double slope =
        value_of(active) * speed_factor(Dual<2>(a), Dual<2>::variable(v, 0)).d[0] + size_.fiber_damping;
    return T(v) - (left - T(value_of(left))) / T(slope);
  }
  /// Fiber length in balance with the tendon while the fibers move so fast (m/s along the tendon).
  double balanced(double activation, double path_length, double along_speed, double max_velocity) const;

  /// Tension with a rigid tendon, of fibers that span s and change by `along_speed` (m/s); by the maximal force.
  template <class T>
  T rigid_tension(const T& activation, const T& s, const T& along_speed, double max_velocity) const {
    const double l_o = size_.optimal_length;
    const T length = sqrt(s * s + T(width_ * width_)), cosine = s / length, x = length / T(l_o);
    const T v = along_speed * cosine / T(l_o * max_velocity);
    const T force =
        activation * active_length(x) * speed_factor(activation, v) + passive_length(x) + T(size_.fiber_damping) * v;
    // fibers do not push, and are slack where they would be shorter than they can be
    const T out = select_less(x, T(shortest_), T(0.0), force * cosine);
    return select_less(out, T(0.0), T(0.0), out);
  }

 private:
  template <class T>
  T active_length(const T& x) const {
    return thelen_ ? thelen_active(*thelen_, x) : millard_->active(x);
  }
  template <class T>
  T passive_length(const T& x) const {
    return thelen_ ? thelen_passive(*thelen_, x) : millard_->passive(x);
  }
  template <class T>
  T tendon_force(const T& y) const {
    return thelen_ ? thelen_tendon(*thelen_, y) : millard_->tendon(y);
  }
  template <class T>
  T speed_factor(const T& activation, const T& v) const {
    return thelen_ ? thelen_speed_factor(*thelen_, v / (T(0.25) + T(0.75) * activation)) : millard_->speed(v);
  }
  /// Solves active f_V(v) + beta v = wanted.
  double solved_speed(double activation, double active, double wanted) const;

  Size size_;
  std::optional<ThelenShape> thelen_;
  std::optional<MillardCurves> millard_;
  double width_ = 0.0, shortest_ = 0.0;
};

}  // namespace cardan::muscle
