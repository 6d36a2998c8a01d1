// A system in joint coordinates by way of the Jacobian of all bodies (REDMAX, section 2 of Sueda's notes):
//   (J'MJ + armature) a = J'(f - M J_dot v) + tau
// with products J x, J_dot x and J'y alone (Algs. 5 and 6). Small systems are solved dense, with their constraints;
// large ones by conjugate gradients preconditioned by the recursion of Alg. 10, which without implicit springs is the
// inverse itself. Implicit steps add J'(-h D - h^2 K)J of all forces as they are, springs between far bodies too. Large
// systems with constraints are eliminated on the graph of bodies.
#pragma once

#include "cardan/dynamics/force_blocks.hpp"
#include "cardan/dynamics/internal/articulated_factor.hpp"
#include "cardan/dynamics/maximal_problem.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

namespace cardan {

class RedmaxProblem : public RecursiveProblem {
 public:
  RedmaxProblem(const System& system, const Model& model);

  bool step_implicitly(const Point& at, double h, Out<double> change) override;
  /// Of conjugate gradients, the last time.
  int iterations() const { return iterations_; }

 protected:
  void accelerate(const Point& at, In<double> tau, Out<double> a) override;

 private:
  bool is_small() const;
  /// out = (J'MJ + armature) x, and with h > 0 the implicit terms of the forces.
  void apply(In<double> q, const Eigen::VectorXd& x, double h, Eigen::VectorXd& out);
  /// J'(gravity - v x* M v - M J_dot v).
  void bias_force(const Point& at, Eigen::VectorXd& out);
  /// Solves by conjugate gradients; false if they do not converge.
  bool iterate(const Point& at, double h, const Eigen::VectorXd& f, Out<double> a);
  void solve_dense(const Point& at, const Eigen::VectorXd& f, Out<double> a);
  void precondition(std::size_t force);
  MaximalProblem& direct();

  Workspace<double> workspace_;
  StateKinematics kinematics_;
  std::vector<MotionVector<double>> motions_;
  std::vector<ForceVector<double>> forces_;
  ForceBlocks blocks_;
  ArticulatedFactor factor_;
  std::unique_ptr<MaximalProblem> direct_;  // in joint coordinates, made when first needed
  Eigen::VectorXd right_, product_, solution_, touched_, pushed_;
  int iterations_ = 0;
};

}  // namespace cardan
