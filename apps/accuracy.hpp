// How many digits of accelerations to expect at one state, and what takes the others (chapter 10 of Featherstone's
// book): the condition of the mass matrix, a measured round trip, the shape of the tree, and loops that are nearly
// singular.
#pragma once

#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/constraints/mobility.hpp"
#include "cardan/dynamics/scene.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cardan::command {

/// A principal direction of the mass matrix: the inertia along it, and the velocities that most of it consists of.
struct EffectiveInertia {
  double inertia = 0.0;
  std::vector<int> velocities;  // largest share first
};

/// The eigenvalues of H. Where units mix, velocities in m/s are measured in `length` rad/s, so that a turn and a shift
/// carry the same inertia on average; those without a unit are measured so that each carries that average.
struct InertiaSpectrum {
  EffectiveInertia largest, smallest;
  std::string unit;                  // of these inertias: kg m2, kg where all shift, none where no velocity has a unit
  std::optional<double> length;      // m, where rad and m mix
  int without_unit = 0;              // velocities of invented joints and the like
  double condition = 0.0;            // infinite where H is singular
  double condition_by_coupling = 0;  // with each velocity scaled by its own inertia: what no choice of units lowers
  int weakest = 0;                   // the velocity whose pivot loses most
  double held = 0.0, free = 0.0;     // its inertia with all joints beyond it held, and free
};

/// Worst relative errors: of accelerations after the forces that they take (H^-1 H a), and of forces after the
/// accelerations that they give beside gravity and velocities (inverse dynamics of forward dynamics), relative to both.
struct RoundTrip {
  int states = 0;
  double accelerations = 0.0, forces = 0.0;
};

/// A body and the heaviest that its own joints carry.
struct MassRatio {
  int light = 0, heavy = 0;
  double ratio = 0.0;
};

/// The smallest singular value of a cluster of constraint rows, of those that count as independent; the longest row of
/// each constraint has unit length. 0 where a row vanishes or repeats others, at most 1.
struct Clearance {
  double value = 0.0;
  std::string constraint;  // that has most of it
};

struct Accuracy {
  std::optional<InertiaSpectrum> spectrum;  // up to kMostCheckedVelocities, where H is finite
  std::optional<RoundTrip> round_trip;
  int timed = 0;  // a body whose joint has the time as a coordinate: H with it in says nothing, and both are left out
  int deepest = 0, ends = 0, massless = 0;  // a body, bodies that carry none, bodies without mass
  std::optional<MassRatio> masses;          // where a body is lighter than one that it carries
  std::optional<Clearance> clearance;       // where there are constraints, of up to kMostCheckedVelocities
};

/// Examines the tree, with loops open; `mobility` is that of the constraints at the same q.
Accuracy estimate_accuracy(const Scene& scene, ConstraintSet& set, const std::optional<Mobility>& mobility,
                           const std::vector<double>& q);

/// Digits that are left of the 16 of a double, rounded down.
int digits_left(double condition);

std::vector<std::string> accuracy_lines(const Model& model, const Accuracy& accuracy);
nlohmann::ordered_json accuracy_json(const Model& model, const Accuracy& accuracy);

}  // namespace cardan::command
