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
  double cosine(double x) const;

  /// Tendon force by the maximal one at this length of the path, with its derivative by that length.
  struct Pull {
    double value = 0.0, by_length = 0.0;
  };
  Pull tendon(double path_length, double x) const;
  /// Normalized fiber speed at which fibers bear the tendon's force.
  double speed(double activation, double path_length, double x) const;
  /// Fiber length in balance with the tendon while the fibers move so fast (m/s along the tendon).
  double balanced(double activation, double path_length, double along_speed, double max_velocity) const;

  /// Tension with a rigid tendon, of fibers that span s and change by `along_speed` (m/s); by the maximal force.
  template <class T>
  T rigid_tension(double activation, const T& s, const T& along_speed, double max_velocity) const {
    const double l_o = size_.optimal_length;
    const T length = sqrt(s * s + T(width_ * width_)), cosine = s / length, x = length / T(l_o);
    const T v = along_speed * cosine / T(l_o * max_velocity);
    const T force =
        T(activation) * active_length(x) * speed_factor(activation, v) + passive_length(x) + T(size_.fiber_damping) * v;
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
  T speed_factor(double activation, const T& v) const {
    return thelen_ ? thelen_speed_factor(*thelen_, v / T(0.25 + 0.75 * activation)) : millard_->speed(v);
  }

  Size size_;
  std::optional<ThelenShape> thelen_;
  std::optional<MillardCurves> millard_;
  double width_ = 0.0, shortest_ = 0.0;
};

}  // namespace cardan::muscle
