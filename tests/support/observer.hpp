// An observer of a mechanism: units of length, mass and time, axes that are turned or mirrored, an origin elsewhere, a
// frame that moves uniformly. What one observer writes down, another one reads as the same motion.
//
// Similarity. With units L, M and T a quantity of dimension kg^a m^b s^c becomes M^a L^b T^c times its number: inertia
// M L^2, force M L T^-2, moment M L^2 T^-2, stiffness M T^-2, damping M T^-1, angular velocity T^-1, gravity L T^-2;
// angles, friction and restitution stay. M = L^3 keeps densities and T = sqrt(L) keeps gravity, as in a model that is
// built smaller. `penetration` is a length and `residual` a speed of the method, and so is the step a time.
//
// A mirror (y changes sign in each frame, bodies' own frames included) turns vectors v into P v and axes of rotation,
// angular velocities and moments into -P w; rotations R become P R P. Then joint angles keep their sign.
#pragma once

#include "cardan/math/matrix.hpp"
#include "cardan/math/vector.hpp"

#include <string>

namespace cardan::test {

struct Observer {
  double length = 1.0, mass = 1.0, time = 1.0;  // units: numbers grow by these
  bool mirrored = false;
  Mat3<double> turn = Mat3<double>::identity();
  Vec3<double> origin{};    // m, where the other origin is seen, in this observer's units
  Vec3<double> velocity{};  // of the other frame, in the other's axes and units
  double nudge = 0.0;       // m/s, rad/s in the other's units: added to velocities at the start
  double step = 1.0;        // factor of the step

  double unit(int kg, int m, int s) const;
  Vec3<double> mirror(Vec3<double> v) const { return mirrored ? Vec3<double>{v[0], -v[1], v[2]} : v; }
  Vec3<double> mirror_axis(Vec3<double> w) const { return mirrored ? Vec3<double>{-w[0], w[1], -w[2]} : w; }

  /// Writes numbers and vectors in the axes of a body.
  std::string number(double x, int kg, int m, int s) const;
  std::string local(const Vec3<double>& v, int kg, int m, int s) const;
  std::string local_axis(const Vec3<double>& w, int kg, int m, int s) const;
  std::string inertia(double xx, double yy, double zz, double xy, double xz, double yz) const;
  /// Writes a vector in world axes.
  std::string world(const Vec3<double>& v, int kg, int m, int s) const;
  Vec3<double> seen(const Vec3<double>& v, double factor) const { return factor * (turn * mirror(v)); }
  Vec3<double> seen_point(const Vec3<double>& p) const { return seen(p, length) + origin; }
  /// Writes the pose of a frame of the world: { xyz, rpy }.
  std::string place(const Vec3<double>& p, const Mat3<double>& R) const;
  /// Writes q and v of a free joint; angular and linear velocity in the body's axes.
  std::string free_state(const Vec3<double>& p, const Mat3<double>& R, const Vec3<double>& angular,
                         const Vec3<double>& linear) const;
  /// Gives where this observer's point is for the other, at this observer's time.
  Vec3<double> told(const Vec3<double>& p, double t) const;

 private:
  Mat3<double> orientation(const Mat3<double>& R) const;
};

}  // namespace cardan::test
