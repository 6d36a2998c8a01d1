// A bushing between a frame a on one body and a frame b on another: six springs and six dampers. With R and p the pose
// of b in a, theta = log R its rotation vector and (omega, u) the velocity of b against a, all in the axes of a,
//   force on b  = -k_p p - c_p u,   moment on b = -T(theta)^-1 (k_r theta) - c_r omega,   energy (k_r theta^2 + k_p
//   p^2) / 2,
// where T^-1 is the inverse tangent operator of SO(3): theta changes by its transpose times a turn of b. Frame a feels
// the negative of both, at the origin of b. Rotations must stay below pi.
#pragma once

#include "cardan/forces/force_of.hpp"
#include "cardan/math/so3.hpp"

#include <array>

namespace cardan {

struct Bushing {
  struct End {
    int body = 0;                                         // 0: the world
    Transform<double> X = Transform<double>::identity();  // from the body's internal frame to the bushing's
  };
  std::string label;
  End a, b;
  std::array<double, 6> stiffness{}, damping{};  // about x, y, z, then along them: N m/rad, N/m; N m s/rad, N s/m

  std::string name() const { return "bushing \"" + label + "\""; }
  Touches touches() const {
    Touches out;
    for (const End* end : {&a, &b})
      if (end->body != 0 && (out.bodies.empty() || out.bodies[0] != end->body)) out.bodies.push_back(end->body);
    return out;
  }
  bool is_conservative() const {
    for (const double c : damping)
      if (c != 0.0) return false;
    return true;
  }

  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    const Transform<T> A = as<T>(a.X), B = as<T>(b.X), A_0 = A * at.X_0(a.body), B_0 = B * at.X_0(b.body);
    const auto [theta, p] = deformation(A_0, B_0);
    const MotionVector<T> v_a = A * at.velocity(a.body), v_b = B * at.velocity(b.body);
    const auto to_a = [&](const Vec3<T>& x) { return rotate(A_0.E, rotate_back(B_0.E, x)); };
    const Vec3<T> omega = to_a(v_b.angular) - v_a.angular;
    const Vec3<T> u = to_a(v_b.linear) - (v_a.linear + cross(v_a.angular, p));
    Vec3<T> turned, force, moment;
    for (int c = 0; c < 3; ++c) {
      const auto i = static_cast<std::size_t>(c);
      turned[c] = T(stiffness[i]) * theta[c];
      force[c] = -(T(stiffness[i + 3]) * p[c] + T(damping[i + 3]) * u[c]);
    }
    moment = -(tangent_so3_inverse(theta) * turned);
    for (int c = 0; c < 3; ++c) moment[c] = moment[c] - T(damping[static_cast<std::size_t>(c)]) * omega[c];
    const auto to_b = [&](const Vec3<T>& x) { return rotate(B_0.E, rotate_back(A_0.E, x)); };
    if (b.body != 0) pushes.body(b.body) += transpose_apply(B, ForceVector<T>{to_b(moment), to_b(force)});
    if (a.body != 0) pushes.body(a.body) += transpose_apply(A, ForceVector<T>{-(moment + cross(p, force)), -force});
  }
  double energy(const Instant& at) const {
    const auto [theta, p] = deformation(a.X * at.X_0(a.body), b.X * at.X_0(b.body));
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
      const auto i = static_cast<std::size_t>(c);
      sum += 0.5 * (stiffness[i] * theta[c] * theta[c] + stiffness[i + 3] * p[c] * p[c]);
    }
    return sum;
  }

 private:
  template <class T>
  static std::pair<Vec3<T>, Vec3<T>> deformation(const Transform<T>& A_0, const Transform<T>& B_0) {
    return {log_so3(A_0.E * transpose(B_0.E)), rotate(A_0.E, B_0.r - A_0.r)};
  }
};

}  // namespace cardan
