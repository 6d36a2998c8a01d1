// Random scenes with contact, loops and forces, written as an observer sees them.
#pragma once

#include "tests/support/observer.hpp"

#include <string>
#include <vector>

namespace cardan::test {

struct ContactScene {
  std::string text;                 // with [simulation]
  std::vector<std::string> points;  // names of records: points of bodies whose motion is compared
  bool floats = false;              // nothing hangs on the world: it may be seen from a moving frame
};

/// Makes the scene of this seed; what the observer is changes how it is written and nothing else. Every scene has a
/// ground with friction, loose bodies that fall on it and meet, some of which bounce, and a mechanism that touches the
/// ground: a chain (hinge, slider, ball joint, expression), a four-bar linkage (a loop), or a pair of gears (a
/// coupling), with springs, dampers, a cable, a force of time and a controller.
ContactScene random_contact_scene(unsigned seed, const Observer& observer);

}  // namespace cardan::test
