// Derivatives of what a run ends with by numbers of its scene: parameters, initial states, masses, inputs.
//
// Tangents x' = dx/dp of the state are moved beside it, each step by the derivative of that very step:
//   a' = a_q q' + a_v v' + a_z z' + a_p,   z_dot' likewise,
// through every stage of the method, and through what brings loops and motions back to where they hold. Derivatives by
// the state are exact (linearization.hpp); those by p, of the equations at a state and of where a run begins, come from
// six scenes around this one and are right to about 1e-11. Adaptive methods: the steps that were accepted are
// differentiated, not their choice. Outcomes are those of the outputs.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/simulate/outcome.hpp"

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace cardan {

/// A scene as it follows from some of its numbers.
struct SceneFamily {
  std::vector<std::string> names;
  std::vector<double> values;
  /// Makes the scene, with loops closed, of other values. Throws ModelError.
  std::function<Scene(std::span<const double> values)> scene;
};

/// A run that has no derivative, or none that is computed here. One line, with the time where there is one.
struct NotDifferentiable : std::runtime_error {
  NotDifferentiable(double at, const std::string& why);

  double time;
  std::string what_is_not;
};

struct OutcomeGradient {
  std::string name;
  double value = 0.0;
  std::vector<double> by;          // in the order of the family's names
  std::vector<double> difference;  // the same from runs with other numbers, where a check was asked for
};

struct GradientOptions {
  /// Compares with central differences of whole runs that make the same steps.
  bool check = false;
  /// Accepts numbers on which nothing in the run depends, instead of refusing them.
  bool accept_idle = false;
  /// Asked after every step; false ends the work with std::runtime_error.
  std::function<bool(double t)> go_on{};
};

struct RunGradient {
  std::vector<OutcomeGradient> outcomes;
  std::vector<bool> matters;  // whether anything in the run depends on the number
  long steps = 0;
};

/// Runs the scene and differentiates outcomes of its columns. Throws NotDifferentiable, std::invalid_argument on an
/// outcome that there is not, on a number that changes nothing and on settings without a derivative, StepFailure where
/// the run fails.
RunGradient run_gradient(const SceneFamily& family, const std::vector<std::string>& outcomes,
                         const GradientOptions& options = {});

/// The same outcomes without derivatives.
std::vector<double> run_outcomes(const Scene& scene, const std::vector<std::string>& outcomes);

}  // namespace cardan
