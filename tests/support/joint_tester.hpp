// The common joint tester: everything that must hold for any joint, checked by differentiating its pose numerically
// in extended precision. Every joint type goes through it (tests/joints/every_joint_test.cpp).
#pragma once

#include "cardan/joints/joint.hpp"

#include <Eigen/Dense>
#include <string>
#include <vector>

namespace cardan::test {

/// A joint as dense matrices in extended precision.
struct DenseJoint {
  using Scalar = long double;
  Eigen::Matrix<Scalar, 6, 6> X;                    // motion transform from predecessor to successor
  Eigen::Matrix<Scalar, 6, Eigen::Dynamic> S;       // motion subspace
  Eigen::Matrix<Scalar, 6, Eigen::Dynamic> S_rate;  // its derivative along v
  Eigen::Matrix<Scalar, 6, 1> c_J;
};
using DenseVector = Eigen::Matrix<DenseJoint::Scalar, Eigen::Dynamic, 1>;

DenseJoint evaluate(const Joint& joint, const DenseVector& q, const DenseVector& v);
DenseVector integrate(const Joint& joint, const DenseVector& q, const DenseVector& v, DenseJoint::Scalar h);

/// The same in double: as the library computes it.
struct DoubleJoint {
  Pose<double> pose;
  Eigen::Matrix<double, 6, Eigen::Dynamic> S, S_rate;
  Eigen::Matrix<double, 6, 1> c_J;
};
DoubleJoint evaluate(const Joint& joint, const std::vector<double>& q, const std::vector<double>& v);

/// At one state: d/dt X = -v_J x X along integrate(q, v, t) and along every single velocity, c_J and S_rate are the
/// derivatives of S v and S, double agrees with extended precision, the reversed joint is the inverse.
/// At a regular pose also: S has full rank, and difference() inverts integrate().
struct JointCheck {
  double tolerance = 1e-11;
  bool regular = true;
};
void check_joint(const Joint& joint, const std::vector<double>& q, const std::vector<double>& v,
                 const JointCheck& check = {});

/// The zero pose is the identity and lies on the manifold.
void check_zero_pose(const Joint& joint);

/// The joint in a model, at the root and inside a tree: the forces of inverse dynamics are what the change of
/// momentum of each body asks for (d'Alembert), and what forward dynamics turns back into the accelerations.
void check_joint_in_models(const Joint& joint, unsigned seed);

}  // namespace cardan::test
