// The six recursions of Si and Guenter for trees of general joints (equations 18 to 35), with 4x4 and 6x6 matrices in
// extended precision. (30) needs the transposed adjoint, and in (31) and (32) tau-bar stands where v-bar is printed.
#pragma once

#include "tests/support/random_transforms.hpp"

namespace cardan::test {

struct GeneralBody {
  int parent = -1;  // -1: the world
  RealPose G;       // in the parent
  RealMatrix S;
  RealMotion S_dot_v;  // S_dot q_dot
  Real6 J;
  int first = 0;  // its first coordinate
};

struct GeneralDynamics {
  RealMatrix M;
  RealVector bias;  // p-bar: what holds the motion without acceleration
  RealVector q_ddot;
};

/// Bodies come after their parents.
GeneralDynamics general_dynamics(const std::vector<GeneralBody>& bodies, const RealVector& q_dot, const RealVector& tau,
                                 const Eigen::Matrix<Real, 3, 1>& gravity);

/// Eq. (5).
Real6 generalized_inertia(const MassProperties& mass);

}  // namespace cardan::test
