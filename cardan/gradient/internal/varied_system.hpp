// A scene ready to be evaluated at states: its equations in joint coordinates, and the columns of its outputs.
#pragma once

#include "cardan/simulate/recorder.hpp"

#include <memory>

namespace cardan {

class VariedSystem {
 public:
  /// The scene is one whose loops are closed.
  explicit VariedSystem(Scene scene);

  const Scene& scene() const { return scene_; }
  SystemWorkspace& workspace() { return workspace_; }
  RecursiveProblem& equations() { return *workspace_.in_joint_coordinates(); }
  /// Where a run begins, element states included.
  const State& start() const { return start_; }
  /// Computes all columns of an output.
  Eigen::VectorXd columns(double t, const State& state);

 private:
  Scene scene_;
  SystemWorkspace workspace_;
  Recorder recorder_;
  State start_;
};

/// One number of the scene, varied: six systems around the one that is run (SixPoints).
struct VariedNumber {
  std::string name;
  double unit;                                         // its size, or one where it is zero: tangents are per unit
  double step;                                         // from place to place, in units
  std::vector<std::unique_ptr<VariedSystem>> systems;  // at SixPoints::kPlaces
};

/// The size of a number, or one where it is zero: varied by the same part of it, motions change alike.
double unit_of(double value);

}  // namespace cardan
