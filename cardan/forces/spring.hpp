// A linear spring and damper between a point a of one body and a point b of another.
//   d = x_b - x_a,  l = |d|,  n = d / l,  tension T = k (l - rest) + c dl/dt,  force T n on a and -T n on b.
// Written as k (1 - rest/l) d + c (d . d_dot) d / l^2, it is regular at l = 0 where the rest length is zero. Energy
// k (l - rest)^2 / 2. A point of the world stands still.
#pragma once

#include "cardan/forces/force_of.hpp"

#include <optional>

namespace cardan {

/// A point of a body, in its internal frame; body 0 is the world.
struct BodyPoint {
  int body = 0;
  Vec3<double> at;
};

struct Spring {
  std::string label;
  BodyPoint a, b;
  double stiffness = 0.0;        // N/m
  double damping = 0.0;          // N s/m
  std::optional<double> rest{};  // m; none: the length at the start

  std::string name() const { return "spring \"" + label + "\""; }
  Touches touches() const {
    Touches out;
    for (const BodyPoint* point : {&a, &b})
      if (point->body != 0 && (out.bodies.empty() || out.bodies[0] != point->body)) out.bodies.push_back(point->body);
    return out;
  }
  bool is_conservative() const { return damping == 0.0; }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    const Vec3<T> x_a(a.at), x_b(b.at);
    const Vec3<T> d = at.position(b.body, x_b) - at.position(a.body, x_a);
    const Vec3<T> d_dot = at.point_velocity(b.body, x_b) - at.point_velocity(a.body, x_a);
    const T square = dot(d, d), tiny(1e-200), one(1.0), zero(0.0);
    const T safe = select_less(tiny, square, square, one), any = select_less(tiny, square, one, zero);
    const T shortened = T(rest.value_or(0.0)) * any / sqrt(safe), along = any * dot(d, d_dot) / safe;
    const Vec3<T> f = (T(stiffness) * (one - shortened) + T(damping) * along) * d;
    push(at, a.body, x_a, f, pushes);
    push(at, b.body, x_b, -f, pushes);
  }
  /// Computes the force with which it pulls its points together (N); negative where it pushes.
  double tension(const Instant& at) const {
    const Vec3<double> d = at.position(b.body, b.at) - at.position(a.body, a.at);
    const Vec3<double> d_dot = at.point_velocity(b.body, b.at) - at.point_velocity(a.body, a.at);
    const double l = norm(d), l_dot = l > 0.0 ? dot(d, d_dot) / l : 0.0;
    return stiffness * (l - rest.value_or(0.0)) + damping * l_dot;
  }
  double energy(const Instant& at) const {
    const double stretch = length(at) - rest.value_or(0.0);
    return 0.5 * stiffness * stretch * stretch;
  }
  bool needs_start() const { return !rest; }
  Spring started_at(const Instant& at) const {
    Spring out = *this;
    if (!out.rest) out.rest = length(at);
    return out;
  }

 private:
  double length(const Instant& at) const { return norm(at.position(b.body, b.at) - at.position(a.body, a.at)); }

  template <class T>
  static void push(const InstantOf<T>& at, int body, const Vec3<T>& x, const Vec3<T>& f, PushesOf<T>& pushes) {
    if (body == 0) return;
    const Vec3<T> own = rotate(at.X_0(body).E, f);
    pushes.body(body) += ForceVector<T>{cross(x, own), own};
  }
};

}  // namespace cardan
