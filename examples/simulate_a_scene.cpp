// Runs a scene and says where the pendulum is every second.
#include "cardan/io/load.hpp"
#include "cardan/simulate/trajectory.hpp"

#include <iostream>

int main() {
  const cardan::Scene scene = cardan::load("examples/forced_pendulum.toml");
  cardan::System system(scene.model, scene.loads);  // a cardan::Dynamics, for any integrator
  cardan::Simulator simulator(system, cardan::simulation_options(scene.simulation));
  cardan::Trajectory trajectory(scene.model);

  const cardan::RunSummary summary = simulator.run(
      scene.initial, [&](double t, const cardan::State& state) { trajectory.add(t, state, system.energy(state)); });
  std::cout << summary.steps << " steps\n";
  for (int t = 0; t <= 10; ++t) {
    const cardan::State state = trajectory.at(t);
    std::cout << "t = " << t << " s: slider at " << state.q[0] << " m, rod at " << state.q[1] << " rad\n";
  }
}
