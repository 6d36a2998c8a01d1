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

/// A change of how something touches.
struct ContactEvent {
  enum class Kind { impact, sticks, slips, releases, rests };
  double t = 0.0;  // s; of rest: when infinitely many bounces have ended
  Kind kind = Kind::impact;
  std::string what;  // "contact of "ball" and "ground""
};

struct ContactSummary {
  double residual = 0.0;     // largest certificate of a solve (m/s)
  long unsolved = 0;         // steps above the tolerance
  double penetration = 0.0;  // largest, of rigid contacts (m)
  struct Deepest {
    double t = 0.0;
    std::string a, b;
  };
  Deepest deepest{};          // where and when that was
  double limit_excess = 0.0;  // largest, of joints beyond their limits (rad or m)
  int contacts = 0;           // most that acted at once
  long impacts = 0;
  long scaled_impacts = 0;             // restitution lowered so that no energy is gained
  std::string mode;                    // stepping, events, or both: "events, then stepping"
  std::string integrator;              // that events took in place of one of fixed steps
  std::string solver = "exact";        // of the laws, as users write it
  long rounds = 0;                     // of staggered projections, in all steps
  double since = 0.0;                  // when it began (s)
  std::vector<ContactEvent> events{};  // located, in order of time; the first kMostEvents
  struct Switch {
    double t = 0.0;
    std::string mode;
  };
  std::vector<Switch> switches{};  // of contact = "auto"
  long rested_steps = 0;           // in which nothing moved: with the rows of the step before
  long short_steps = 0;            // made where no accelerations obey all laws
  static constexpr std::size_t kMostEvents = 1000;
};

struct ContactLog {
  std::vector<std::string> owners;
  std::vector<ContactForce> forces;
  ContactSummary summary;
};

}  // namespace cardan
