// What a variational integrator asks of a problem beyond its equations of motion: the tree itself, and what acts on it
// besides gravity.
#pragma once

#include "cardan/dynamics/problem.hpp"

#include <vector>

namespace cardan {

class Mechanism {
 public:
  virtual ~Mechanism() = default;
  virtual const Model& tree() const = 0;
  /// Computes the generalized forces of springs, dampers and all else but gravity.
  virtual void generalized_forces(const Point& at, Out<double> tau) = 0;

  /// The part of these that is a damper of the joint itself: -joint_damping(k) v_k.
  virtual double joint_damping(int k) const = 0;

  /// How many rows the constraints have.
  virtual int constraint_rows() const = 0;
  /// Computes by how much a configuration violates the constraints, and J.
  virtual void evaluate_constraints(double t, In<double> q, Eigen::VectorXd& gap, Eigen::MatrixXd& J) = 0;

  /// Bodies whose joints follow a prescribed position without constraint rows.
  virtual std::vector<int> driven_bodies() const = 0;
  /// Puts those joints where they are at t.
  virtual void follow(double t, State& state) = 0;
};

}  // namespace cardan
