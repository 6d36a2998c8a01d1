// What contacts did in the last step, and over a whole run.
#pragma once

#include "cardan/spatial/vectors.hpp"

#include <string>
#include <vector>

namespace cardan {

/// One contact of the last step; shapes are those of the CollisionWorld.
struct ContactForce {
  int shape_a = 0, shape_b = 0;
  int owner_a = 0, owner_b = 0;  // bodies as the user described them: index in ContactLog::owners
  int body_a = 0, body_b = 0;    // 0: the world
  Vec3<double> point, normal;    // at the beginning of the step; from a to b
  double gap = 0.0;              // m
  Vec3<double> force;            // on b, mean over the step (N)
};

struct ContactSummary {
  double residual = 0.0;     // largest certificate of a solve (m/s)
  long unsolved = 0;         // steps above the tolerance
  double penetration = 0.0;  // largest, of rigid contacts (m)
  int contacts = 0;          // most that acted at once
  long impacts = 0;
  long scaled_impacts = 0;  // restitution lowered so that no energy is gained
  std::string mode;         // stepping
  double since = 0.0;       // when it began (s)
};

struct ContactLog {
  std::vector<std::string> owners;
  std::vector<ContactForce> forces;
  ContactSummary summary;
};

}  // namespace cardan
