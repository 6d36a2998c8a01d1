// The plain case of a problem: a model with gravity and joint forces given as a function.
#pragma once

#include "cardan/dynamics/mechanism.hpp"
#include "cardan/dynamics/model_space.hpp"
#include "cardan/dynamics/tree_equations.hpp"

#include <functional>

namespace cardan {

class TreeProblem : public Problem, public Mechanism {
 public:
  /// Sets every entry of tau.
  using JointForces = std::function<void(double t, In<double> q, In<double> v, Out<double> tau)>;

  explicit TreeProblem(const Model& model, JointForces forces = {});

  const Model& model() const { return equations_.model(); }
  const StateSpace& space() const override { return space_; }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error) override;
  /// K and D exact but for the joint forces, whose derivatives are found by central differences.
  void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override;
  bool reparameterize(State& state) override { return space_.reparameterize(state); }
  int singular_velocity(const Point& at) override { return equations_.singular_velocity(at.q); }

  Mechanism* mechanism() override { return this; }
  const Model& tree() const override { return model(); }
  void generalized_forces(const Point& at, Out<double> tau) override;
  double joint_damping(int) const override { return 0.0; }
  int constraint_rows() const override { return 0; }
  void evaluate_constraints(double, In<double>, Eigen::VectorXd&, Eigen::MatrixXd&) override {}
  std::vector<int> driven_bodies() const override { return {}; }
  void follow(double, State&) override {}

 private:
  TreeEquations equations_;
  ModelSpace space_;
  Eigen::VectorXd tau_;
  JointForces forces_;
};

}  // namespace cardan
