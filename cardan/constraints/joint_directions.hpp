// The directions that a joint has and those that it has not.
#pragma once

#include "cardan/constraints/moving_bodies.hpp"

#include <Eigen/Dense>

namespace cardan {

/// Up to six spatial vectors as columns.
using Directions = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

/// S_inverse' S = 1 and, with orthonormal columns, T' S = 0. Householder's QR of S gives both.
void split_directions(const JointMotion& joint, Directions& S_inverse, Directions& T);

}  // namespace cardan
