#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/io/urdf.hpp"

#include <Eigen/Dense>

#include <iostream>

int main() {
  const cardan::Model model = cardan::load_urdf("examples/double_pendulum.urdf");
  cardan::Workspace<double> workspace(model);  // once; after this nothing allocates

  const Eigen::Vector2d q(0.3, -0.1);   // rad
  const Eigen::Vector2d v(0.0, 0.5);    // rad/s
  const Eigen::Vector2d tau(0.0, 0.0);  // N m
  Eigen::Vector2d a;
  cardan::forward_dynamics(model, workspace, q, v, tau, a);
  std::cout << "accelerations: " << a.transpose() << " rad/s^2\n";
}
