// Articulated bodies with several handles, a = Phi f + b, and how two of them become one when joints connect some of
// their handles (section 7.5). Whole mechanisms, loops included, can so be assembled in any order. Everything is in one
// common coordinate frame, say the world's.
#pragma once

#include "cardan/spatial/inertia.hpp"

#include <Eigen/Dense>

#include <vector>

namespace cardan {

/// Six rows and columns for each handle: accelerations at the handles for forces on them.
struct Handles {
  Eigen::MatrixXd Phi;
  Eigen::VectorXd b;
  int count() const { return static_cast<int>(b.size()) / 6; }
};

/// A rigid body, all of its handles moving alike. p is the force that it takes when it does not accelerate: v x* I v
/// less its weight and loads.
Handles handles_of_body(const RigidBodyInertia<double>& I, const ForceVector<double>& p, int count);

/// Something that does not move, such as the world.
Handles handles_of_world(int count);

/// A joint from a handle of one articulated body to a handle of another.
struct HandleJoint {
  int first = 0, second = 0;
  Eigen::MatrixXd S;  // 6 x n: a_second - a_first = S qdd + c
  Eigen::Matrix<double, 6, 1> c = Eigen::Matrix<double, 6, 1>::Zero();
  Eigen::VectorXd tau;  // n
};

/// Eq. 7.57 to 7.63 on sets of handles. The joints use up their handles; what is left is the first body's remaining
/// handles, then the second's, in their order. Throws std::invalid_argument on a joint that does not fit.
Handles join(const Handles& first, const Handles& second, const std::vector<HandleJoint>& joints);

}  // namespace cardan
