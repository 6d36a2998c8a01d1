// The equations of a system with poses of their own for all bodies (formulation "maximal"), or for those that say so
// (mixed): joints of such bodies are rows beside those of loops, couplings and motions, and all are solved in one
// elimination on the graph of bodies (BodyGraph), in linear time on chains, trees and ladders. Forces and constraints
// are the same elements as in joint coordinates. Without any maximal body it is the recursive formulation by another
// solver, one that also takes implicit springs.
#pragma once

#include "cardan/constraints/body_graph.hpp"
#include "cardan/dynamics/body_coordinates.hpp"
#include "cardan/dynamics/force_blocks.hpp"
#include "cardan/dynamics/loads.hpp"
#include "cardan/dynamics/problem.hpp"
#include "cardan/dynamics/system.hpp"

namespace cardan {

class MaximalProblem : public Problem {
 public:
  /// `maximal`: an entry for each body, the world first.
  MaximalProblem(const System& system, std::vector<bool> maximal);

  const StateSpace& space() const override { return coordinates_.space(); }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  void rates(const Point& at, Out<double> z_dot) override;
  bool step_implicitly(const Point& at, double h, Out<double> change) override;
  /// See SystemWorkspace::jump.
  void jump(double t, State& state);
  [[nodiscard]] Projection project(double t, State& state) override;
  std::string explain(const Point& at) override { return accelerate(at) ? std::string() : why_singular(); }
  /// Says why the last solution failed; empty where it did not.
  std::string why_singular() const { return graph_.why_singular(); }

  State from_model(const State& state) { return coordinates_.from_model(state); }
  State to_model(const State& state) { return coordinates_.to_model(state); }
  /// Computes the accelerations of the joints at a state of the model.
  void joint_accelerations(double t, const State& state, Out<double> a);
  /// Computes what holds and drives the mechanism at such a state, from the multipliers of the elimination.
  void loads(double t, const State& state, Loads& out);
  /// The forces that hold the constraints, of the last acceleration.
  Eigen::VectorXd multipliers() const;
  /// Computes by how much joints and constraints are violated at a state of the problem: m or rad.
  double constraint_error(double t, const State& state);

 private:
  /// Evaluates everything that acts.
  Instant evaluate(const Point& at);
  /// Lays out and solves the equations for accelerations; false where the mechanism is singular.
  bool accelerate(const Point& at);
  /// Adds wrenches, joint forces, gravity and velocity products, times a factor.
  void add_body_forces(const Instant& at, double factor, BodyGraph& graph) const;
  /// Acceleration of a joint, by velocity; accelerate() was successful.
  void joint_acceleration(int body, double* out) const;
  /// Takes the solution to the velocities of the space; `product` is what a reduced joint's motion has in excess.
  template <class Product>
  void take(const Product& product, Out<double> out) const;
  /// Solves for the motion of least kinetic energy that makes up for errors of joints and constraints.
  template <class Error>
  bool correct(const Error& of_joint, const Eigen::VectorXd& of_rows, Out<double> out);
  /// The largest gap, and whose it is.
  double largest_gap(std::string* whose = nullptr) const;
  void evaluate_at(double t, const State& state);
  /// Makes velocities obey joints and constraints, which have been evaluated.
  void correct_velocities(State& state);

  System system_;
  Model model_;
  BodyCoordinates coordinates_;
  ConstraintSet set_;
  ForceBlocks blocks_;
  BodyGraph graph_;                      // of accelerations and projections
  std::unique_ptr<BodyGraph> implicit_;  // with springs, made when first needed
  std::vector<ForceVector<double>> wrenches_;
  std::vector<double> tau_;
  std::vector<MotionVector<double>> bias_;
  std::vector<double> change_;
  Eigen::VectorXd touched_, excess_;
  bool leads_;  // motions are prescribed
};

}  // namespace cardan
