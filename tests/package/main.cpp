#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/model/model_builder.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace cardan;
  const Model pendulum = ModelBuilder("pendulum")
                             .body("bob", {2.0, {0.0, 0.0, -0.5}, {}})
                             .joint("world", "bob", Revolute(Vec3<double>{0.0, 1.0, 0.0}))
                             .build();
  Workspace<double> workspace(pendulum);
  const std::vector<double> q{0.3};
  std::vector<double> tau(1);
  gravity(pendulum, workspace, q, tau);
  const double expected = 2.0 * 9.81 * 0.5 * std::sin(0.3);
  std::printf("holding torque %.15g, expected %.15g\n", tau[0], expected);
  return std::abs(tau[0] - expected) < 1e-12 ? 0 : 1;
}
