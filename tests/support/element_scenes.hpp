// Scenes that have one kind of element each, and states at which they may be looked at.
#pragma once

#include "cardan/simulate/system_workspace.hpp"
#include "tests/support/random_models.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cardan::test {

/// A system at a time and state that obeys its constraints, displaced at random from where the scene starts.
struct Place {
  Place(const Scene& scene, std::uint64_t seed) : system(scene), workspace(system), random(seed) {
    t = 0.1;
    state = workspace.assemble(t, scene.initial).state;
    const Eigen::VectorXd x = random.values(model().nv(), 0.05);
    cardan::integrate(model(), state.q.data(), x.data(), 1.0, state.q.data());
    for (double& v : state.v) v += random.uniform(-0.5, 0.5);
    state = workspace.assemble(t, state).state;
    if (ConstrainedDynamics* constrained = workspace.constraints())
      constrained->project_velocities(t, state.q, state.v);
    state = system.initial(state);
    for (double& z : state.z) z += random.uniform(0.0, 0.05);
    for (double& u : workspace.inputs()) u = random.uniform(0.1, 0.4);
  }
  const Model& model() const { return system.model(); }

  System system;
  SystemWorkspace workspace;
  Random random;
  double t = 0.0;
  State state;
};

/// Two hinges and a ball, a scene file without anything that acts.
std::string arm_scene();
/// Scenes by name: every kind of constraint and controller, forces of several kinds.
const std::vector<std::pair<std::string, std::string>>& element_scenes();

}  // namespace cardan::test
