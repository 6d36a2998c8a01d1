// Forward dynamics of a scene in a formulation of the user's choice, under generalized forces that are given instead of
// those that its elements would exert.
#pragma once

#include "cardan/simulate/system_workspace.hpp"

#include <memory>

namespace cardan::command {

class FormulatedDynamics {
 public:
  /// Throws ModelError or std::exception, one line, where the formulation does not take the scene.
  FormulatedDynamics(const Scene& scene, Formulation formulation);

  /// Computes accelerations under forces tau, which stand for all but gravity and constraints.
  void operator()(double t, const State& state, const std::vector<double>& tau, std::vector<double>& a);
  /// Says why the last accelerations are not numbers; empty if unknown.
  std::string why_singular() const { return workspace_->why_singular(); }

 private:
  std::shared_ptr<std::vector<double>> given_;  // what the system's own force of this class exerts
  std::unique_ptr<RecursiveProblem> springs_;   // of joints, which a system always has
  std::unique_ptr<SystemWorkspace> workspace_;
};

}  // namespace cardan::command
