// Soft contact of a ball, or a point, of a body with a plane (section 11.8 of Featherstone's book): the surface is a
// massless patch on springs and dampers that has states of its own. With p the height of the ball's lowest point above
// the plane, z that of the patch, K and D stiffness and damping,
//   f_n = 0 where p > z, else max(0, -K z - D p_dot),      z_dot = -(K z + f_n) / D (11.73, 11.74)
// so that the patch moves with what presses on it, and returns by itself where that leaves faster than it can follow.
// Friction bends the patch sideways by s (two components), and lets go where its force reaches the cone:
//   f_t = -K_t s - D_t v_t, shortened to mu f_n,           s_dot = -(K_t s + f_t) / D_t                   (11.75
//   to 11.79)
// While f_t is within the cone s_dot = v_t: what sticks rests on a spring and does not creep. Forces follow from the
// state alone: any integrator takes them, with steps that resolve the springs.
#pragma once

#include "cardan/forces/force_of.hpp"

namespace cardan {

struct SoftContact {
  std::string label;
  int body = 0;
  Vec3<double> center;                                          // of the ball, in the body's internal frame
  double radius = 0.0;                                          // m
  Vec3<double> normal, tangent[2];                              // of the plane, unit vectors in the world
  double height = 0.0;                                          // of the plane, along the normal
  double stiffness = 0.0, damping = 0.0;                        // N/m, N s/m
  double tangential_stiffness = 0.0, tangential_damping = 0.0;  // likewise
  double friction = 0.0;

  std::string name() const { return "soft contact \"" + label + "\""; }
  Touches touches() const { return {.bodies = {body}, .states = 3}; }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    const State<T> s = evaluate(at);
    const Vec3<T> force = s.f_n * as<T>(normal) + s.f_t[0] * as<T>(tangent[0]) + s.f_t[1] * as<T>(tangent[1]);
    const Vec3<T> own = rotate(at.X_0(body).E, force);
    pushes.body(body) += ForceVector<T>{cross(s.point, own), own};
  }
  /// Counts what the springs of the patch hold.
  double energy(const Instant& at) const {
    return 0.5 * (stiffness * at.z[0] * at.z[0] + tangential_stiffness * (at.z[1] * at.z[1] + at.z[2] * at.z[2]));
  }
  void initial_states(std::span<double> z) const { std::fill(z.begin(), z.end(), 0.0); }
  template <class T>
  void rate(const InstantOf<T>& at, std::span<T> z_dot) const {
    const State<T> s = evaluate(at);
    z_dot[0] = -(T(stiffness) * at.z[0] + s.f_n) / T(damping);
    for (int k = 0; k < 2; ++k)
      z_dot[static_cast<std::size_t>(1 + k)] =
          -(T(tangential_stiffness) * at.z[1 + k] + s.f_t[k]) / T(tangential_damping);
  }

 private:
  template <class T>
  struct State {
    Vec3<T> point;  // of contact, in the body's internal frame
    T f_n, f_t[2];
  };
  template <class T>
  static Vec3<T> as(const Vec3<double>& x) {
    return {T(x[0]), T(x[1]), T(x[2])};
  }

  template <class T>
  State<T> evaluate(const InstantOf<T>& at) const {
    State<T> out;
    const Vec3<T> n = as<T>(normal), middle = as<T>(center);
    out.point = middle - T(radius) * rotate(at.X_0(body).E, n);
    const T p = dot(n, at.position(body, middle)) - T(radius + height);
    const Vec3<T> v = at.point_velocity(body, out.point);
    const T zero(0.0), pressed = -(T(stiffness) * at.z[0] + T(damping) * dot(n, v));
    out.f_n = select_less(at.z[0], p, zero, select_less(zero, pressed, pressed, zero));
    T squares(1e-60);  // the length of a force that is zero has no derivative
    for (int k = 0; k < 2; ++k) {
      out.f_t[k] = -(T(tangential_stiffness) * at.z[1 + k] + T(tangential_damping) * dot(as<T>(tangent[k]), v));
      squares = squares + out.f_t[k] * out.f_t[k];
    }
    const T length = sqrt(squares), most = T(friction) * out.f_n;
    const T kept = select_less(most, length, most / length, T(1.0));
    for (T& f : out.f_t) f = kept * f;
    return out;
  }
};

}  // namespace cardan
