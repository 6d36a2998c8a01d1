// Checks whether prescribed motions can be followed: positions that do not jump, velocities that nothing else forbids.
#pragma once

#include "cardan/constraints/constraint_set.hpp"
#include "cardan/dynamics/problem.hpp"

#include <span>

namespace cardan {

/// True if a constraint leads the mechanism: a prescribed motion.
bool leads(const Constraints& constraints);

/// The largest change of a velocity, of the largest velocity.
double relative_change(std::span<const double> before, std::span<const double> after);

/// Tells whether the velocities follow all prescribed motions; the set has been evaluated there.
Projection led_by(const ConstraintSet& set, const State& state);

/// Throws StepFailure that names the prescribed motion whose position is not where the mechanism is; the set has been
/// evaluated just after a jump of texts, at a state that obeyed it just before.
void require_no_gap(double t, const ConstraintSet& set);
void require_no_gap(double t, const std::string& motion, std::span<const double> gap);

}  // namespace cardan
