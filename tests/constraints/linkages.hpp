// Small mechanisms with loops.
#pragma once

#include "cardan/model/model_builder.hpp"

namespace cardan::test {

inline Pose<double> along_x(double x) { return {Mat3<double>::identity(), Vec3<double>{x, 0.0, 0.0}}; }
inline Revolute about_z() { return Revolute{Vec3<double>{0.0, 0.0, 1.0}}; }

/// A uniform slender bar along x.
inline MassProperties bar(double mass, double length) {
  const double I = mass * length * length / 12.0;
  return {mass, Vec3<double>{0.5 * length, 0.0, 0.0}, Sym3<double>{0.0, I, I, 0.0, 0.0, 0.0}};
}

/// Crank and coupler in a row from the origin, the rocker from x = ground; the loop joint is the pin between the
/// latter.
inline Model four_bar(const Joint& pin, double crank = 0.8, double coupler = 1.8, double rocker = 1.5,
                      double ground = 2.0) {
  ModelBuilder builder("four-bar");
  builder.gravity({0.0, -9.81, 0.0});
  builder.body("crank", bar(1.0, crank)).body("coupler", bar(2.0, coupler)).body("rocker", bar(1.5, rocker));
  builder.joint("world", "crank", about_z()).joint("crank", "coupler", about_z(), along_x(crank));
  builder.joint("world", "rocker", about_z(), along_x(ground));
  builder.joint(JointSpec{"pin", "coupler", "rocker", pin, along_x(coupler), along_x(rocker), {}, {}, {}, true});
  return builder.build();
}

/// Lets a point slide along z and turn as it likes: holds it in the plane across, no more (section 8.10).
inline Joint ball_in_tube() { return Composite({Prismatic{{0.0, 0.0, 1.0}}, Spherical{}}); }

}  // namespace cardan::test
