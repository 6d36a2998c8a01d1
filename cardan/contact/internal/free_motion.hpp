// Motion over a step without laws. Mass matrix and forces are those of mid-step, where velocities alone lead in half of
// it, and velocity products those of the mean of the velocities at both ends, so that the step is a leapfrog that is
// symmetric in time:
//   q_mid = q0 + h/2 v0,   (H - h/2 D - h^2/4 K) dv = h (f(q_mid, v0) - C(q_mid, v0 + dv/2)),   q1 = q_mid + h/2 v1
// with springs and dampers linearized for the half step of the change of velocity. Velocity products are found by
// iteration. Free joints: free_joints.hpp. A mechanism that flies keeps its momentum: what the mean of velocities
// leaves of it at the end of the step is given to its base.
#pragma once

#include "cardan/contact/internal/free_joints.hpp"
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/solve/branch_factor.hpp"
#include "cardan/solve/law_problem.hpp"

#include <memory>
#include <span>

namespace cardan {

class FreeMotion {
 public:
  using Mass = std::vector<LawProblem::Mass>;

  /// Trees are what only laws couple: velocities [first, end). All must outlive it.
  FreeMotion(RecursiveProblem& problem, std::vector<std::pair<int, int>> trees, const std::vector<FreeJoint>& joints);

  /// Computes the mass matrix at q, a part for each tree.
  void set_mass(In<double> q, Mass& parts);
  /// Computes how a state moves on over h. `parts` become the mass matrix of mid-step with implicit forces, one part
  /// for all where forces couple trees. False where velocity products change too much within h to be found.
  [[nodiscard]] bool advance(double t, double h, const State& start, Mass& parts);
  /// Sets the acceleration of a state as advance() expects it, from its motion over a brief time.
  void expect(double t, double brief, const State& start, Mass& parts);

  /// Velocities at the end, those of free joints in the axes of a pose.
  void express(const double* q, Eigen::VectorXd& v) const;
  const std::vector<Flight>& flights() const { return flights_; }
  /// Acceleration over the step; that of free joints as FreeJoint has it.
  const Eigen::VectorXd& acceleration() const { return acceleration_; }
  /// Coordinates half a step ahead.
  const std::vector<double>& middle() const { return middle_.q; }
  /// Wrenches of forces on bodies, in their coordinates; empty where none acts on bodies.
  std::span<const ForceVector<double>> wrenches() const;
  /// The part of the mass matrix that a velocity belongs to.
  std::size_t part_of(int velocity, const Mass& parts) const;

 private:
  struct DenseFactor {
    bool is_definite = false;
    Eigen::LLT<Eigen::MatrixXd> cholesky;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  };
  void set_middle(double h, const State& start);
  void set_velocity_products();
  void add_forces(double t, double h, const State& start, Mass& parts);
  bool factor_on_branches(Mass& parts);
  bool add_joint_tangents(const Instant& at, double h, Mass& parts);
  bool add_on_branches(std::size_t force, double h, Mass& parts) const;
  void factor_with_any_forces(const Instant& at, double h, Mass& parts);
  void linearize_forces(const Instant& at);
  void couple(Mass& parts) const;
  void set_change(double h, const Mass& parts);
  double improve_middle(const State& start);
  void fly(double h, const State& start);
  void keep_momentum(double h, const State& start);
  Instant force_instant(std::size_t force, const Instant& at) const;

  RecursiveProblem& mechanism_;
  const System system_;
  const Model& model_;
  const StateSpace& space_;
  const std::vector<FreeJoint>& joints_;
  TreeEquations equations_;
  StateKinematics kinematics_, at_ends_;
  std::vector<std::pair<int, int>> trees_;
  std::vector<int> tree_of_velocity_;
  Mass pattern_;                       // of the trees: zeros and parents
  std::vector<BranchFactor> factors_;  // of the trees
  std::vector<DenseFactor> dense_;     // of the parts, where factors_ are not used
  std::unique_ptr<ForceTangent> tangent_;
  std::vector<Touches> touches_;  // of the forces
  std::vector<Tangent> force_tangents_;
  bool acts_on_bodies_ = false;
  bool has_products_ = false;  // some velocities are of connected bodies
  std::vector<ForceVector<double>> wrenches_;
  Eigen::MatrixXd H_, K_, D_;
  Eigen::VectorXd tau_, products_, dv_, v_end_, acceleration_;
  State middle_;
  std::vector<double> carried_;  // velocities of the start in the axes of mid-step
  std::vector<double> x_, v_products_, a_products_, q_end_, v_flight_;
  std::vector<Flight> flights_;  // of the free joints
  Eigen::VectorXd radians_;      // of a unit of each velocity
};

}  // namespace cardan
