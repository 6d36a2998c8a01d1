// Putting a mechanism together: from a state whose loops do not close to one nearby whose loops do.
#pragma once

#include "cardan/constraints/constraint_set.hpp"
#include "cardan/model/state.hpp"

namespace cardan {

struct Assembly {
  bool closed = false;  // and no prescribed motion contradicts what else holds the mechanism
  State state;
  /// How far the most open constraint is from closing, and its name; of a loop, distance (m) and angle (rad).
  std::string worst;
  double distance = 0.0, angle = 0.0;
  /// The prescribed motion whose velocity cannot be followed, and what is missed of it (m/s or rad/s); else empty.
  std::string contradicts;
  double contradiction = 0.0;
  /// Joints that had to move (bodies that they move), most first.
  std::vector<int> moved;

  explicit Assembly(State start) : state(std::move(start)) {}
  /// "loop "b" cannot be closed: ...".
  std::string complaint() const;
};

/// Joints (bodies that they move) that keep their position or velocity if the others can do without them.
struct KeptJoints {
  std::vector<int> positions, velocities;
};

/// Damped Newton steps within the joints' limits; then velocities are made to obey, too.
Assembly assemble(const Model& model, ConstraintSet& set, double t, const State& start, const KeptJoints& kept = {});

}  // namespace cardan
