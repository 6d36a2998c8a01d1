// What acts on a model besides its gravity and the springs and dampers of its joints.
#pragma once

#include "cardan/math/vector.hpp"
#include "cardan/simulate/time_function.hpp"

#include <optional>

namespace cardan {

/// Pushes and turns a body at one of its points.
struct AppliedForce {
  int frame = 0;              // of the model: whose body feels it
  Vec3<double> at;            // the point, in that frame
  bool in_body_axes = false;  // the six numbers are along the frame's axes, else along the world's
  TimeFunction wrench;        // moment about the point (N m), then force (N)
};

/// A joint that moves as time says, whatever that takes. Only for joints whose velocities are the rates of their
/// coordinates.
struct PrescribedMotion {
  enum class Kind {
    position,     // with two derivatives
    acceleration  // from the state where it starts
  };
  int body = 0;  // that the joint moves
  Kind kind = Kind::position;
  TimeFunction motion;  // an entry for each coordinate
};

/// A body that moves as time says, whatever that takes: a point of it, its orientation, or both. With two derivatives.
struct PrescribedBodyMotion {
  int frame = 0;                         // of the model: whose body is moved
  Vec3<double> at;                       // the point, in that frame
  std::optional<TimeFunction> position;  // of the point in the world
  std::optional<TimeFunction> rpy;       // of the frame in the world: roll, pitch, yaw
};

struct Loads {
  std::vector<AppliedForce> forces{};
  std::vector<PrescribedMotion> motions{};
  std::vector<PrescribedBodyMotion> body_motions{};
};

}  // namespace cardan
