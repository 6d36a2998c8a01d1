// Runs a scene and says where the pendulum is every second.
#include "cardan/cardan.hpp"

#include <iostream>

int main() {
  const cardan::Scene scene = cardan::load("examples/forced_pendulum.toml");
  const cardan::Trajectory run = cardan::simulate(scene);

  std::cout << run.summary.steps << " steps\n";
  for (int t = 0; t <= 10; ++t) {
    const cardan::State state = run.at(t);
    std::cout << "t = " << t << " s: slider at " << state.q[0] << " m, rod at " << state.q[1] << " rad\n";
  }
}
