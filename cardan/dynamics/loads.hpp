// What holds and drives a mechanism at one state: accelerations, the forces that joints transmit, and the forces of
// motions and constraints.
#pragma once

#include "cardan/spatial/vectors.hpp"

#include <Eigen/Dense>

#include <vector>

namespace cardan {

struct Loads {
  std::vector<double> accelerations;
  std::vector<double> drives;  // what prescribed motions of joints take, by velocity; zero elsewhere
  std::vector<double>
      efforts;  // what acts at each velocity: springs, dampers, controllers, forces at joints and drives
  Eigen::VectorXd multipliers;  // of the constraints, where they are solved by multipliers
  /// What each joint exerts on the body that it moves, by body: in the axes of the body as the user described it, about
  /// its origin.
  std::vector<ForceVector<double>> joints;
};

}  // namespace cardan
