// How the gap of a contact changes along a motion of the two bodies: first and second derivative, exactly (book 11.3).
//
// The gap is the extreme value of F(n, tau) = n . (b - a) over unit vectors n, with support points a(n), b(-n), and
// over positions tau along straight or curved edges that touch. Hence its rate is that of F at fixed n and tau,
//   gap_dot = n . (v_b - v_a)                                   velocities of the bodies' points at the contact
//   (11.27),
// and the second derivative needs how n and tau move. With H the radii of curvature of the surfaces (support.hpp) and
//   K = H_a + H_b + gap 1,   c = v_b - v_a - H_a (n x w_a) - H_b (n x w_b)
// both on the tangent plane, and for each edge direction e of a body that rotates with w: g = -n . (w x e),
//   [K  E'] [n_dot]   [c]
//   [E  M ] [ tau ] = [g]
//   gap_ddot = n . (a_b - a_a) - (n x w_a)'H_a(n x w_a) - (n x w_b)'H_b(n x w_b) + c . n_dot + g . tau.
// (11.30) is this with n_dot; M is the bend of a curved edge, 0 for straight ones. The contact point itself moves by
//   c_dot = v_a + H_a (n_dot + n x w_a) + tau e     over the edges or the face of a.
#pragma once

#include "cardan/collision/contact.hpp"
#include "cardan/spatial/vectors.hpp"

namespace cardan::collision {

/// Motion of a body as an observer in the world sees it: of the point that is at `origin` now, world axes.
struct BodyMotion {
  Vec3<double> origin;
  Vec3<double> angular_velocity, velocity;
  Vec3<double> angular_acceleration, acceleration;  // of that point: second derivative of its position

  Vec3<double> velocity_at(const Vec3<double>& x) const { return velocity + cross(angular_velocity, x - origin); }
  Vec3<double> acceleration_at(const Vec3<double>& x) const {
    const Vec3<double> r = x - origin;
    return acceleration + cross(angular_acceleration, r) + cross(angular_velocity, cross(angular_velocity, r));
  }
};

struct GapMotion {
  double rate = 0.0;          // [m/s]
  double acceleration = 0.0;  // [m/s^2], with the accelerations that were given
  Vec3<double> normal_rate;   // n_dot, world axes [1/s]
  Vec3<double> point_rate;    // velocity at which the contact point wanders over a, world axes [m/s]
};

/// The solids and orientations (columns: axes in the world) are those that the contact was computed for.
GapMotion gap_motion(const Contact& contact, const Solid& a, const Mat3<double>& R_a, const BodyMotion& of_a,
                     const Solid& b, const Mat3<double>& R_b, const BodyMotion& of_b);

}  // namespace cardan::collision
