// The equations of a mechanism with an acceleration for every body and a force for every joint (section 8.13), laid out
// on the graph of bodies for GraphElimination:
//   minimize 1/2 sum of a_i' I_i a_i - f_i' a_i + armature of the joints   (Gauss's principle)
//   subject to T_i' (a_i - X_i a_parent) = T_i' c_i for every joint and the rows of all constraints.
// T_i spans what joint i does not allow, c_i = c_J + v_i x v_J. A velocity of a joint is S_i^+ (a_i - X_i a_parent).
// Springs and dampers that are treated implicitly join as rows of energy.
#pragma once

#include "cardan/constraints/constraint_set.hpp"
#include "cardan/constraints/joint_subspace.hpp"
#include "cardan/solve/graph_elimination.hpp"

#include <memory>
#include <span>

namespace cardan {

class BodyGraph {
 public:
  /// `springs`: what each force touches that has implicit stiffness or damping. Throws std::invalid_argument on a body
  /// with inertia that no body has.
  BodyGraph(const Model& model, const ConstraintSet& set, std::span<const Touches> springs = {});

  const Model& model() const { return model_; }

  // --- the matrices ---

  /// Takes X, S and the velocity products c_i = a_i - X_i a_parent of the joints.
  void set_joints(const Kinematics<double>& bodies);
  void set_constraints(const ConstraintSet& set);
  /// Sets the energy 1/2 x' P x of the i-th spring, P positive semidefinite, in the order of its Touches.
  void set_spring(std::size_t i, const Eigen::Ref<const Eigen::MatrixXd>& P);
  /// How many rows of joints and constraints follow from the others.
  int repeated_rows() const { return repeated_; }

  // --- right sides and the solution; all zero after begin() ---

  void begin();
  /// Adds a force to a body, in its own coordinates.
  void add_force(int body, const ForceVector<double>& f);
  /// Adds a generalized force at velocity v: on the body that the joint moves, and against it on the parent.
  void add_joint_force(int v, double tau);
  /// Sets what T'(a_i - X a_parent) is to be, from a relative motion.
  void set_joint_motion(int body, const MotionVector<double>& c);
  /// Armature times S^+ c: to be called with the c of set_joint_motion where accelerations include velocity products.
  void add_armature_force(int body, const MotionVector<double>& c);
  double& constraint_target(int row) { return k_[first_constraint_row_ + static_cast<std::size_t>(row)]; }
  /// Factorizes and solves; false where a body can move without energy, or where rounding would decide what acts.
  [[nodiscard]] bool solve();
  /// Says why the last solve() gave no solution, and names the body; empty where it did.
  std::string why_singular() const;

  MotionVector<double> acceleration(int body) const;
  /// a_i - X_i a_parent.
  MotionVector<double> relative(int body) const;
  /// S^+ m, one number for each velocity of the joint.
  void joint_rates(int body, const MotionVector<double>& m, double* out) const;
  /// T' m, what a relative motion breaks of the joint.
  void joint_errors(int body, const MotionVector<double>& m, double* out) const;
  double multiplier(int row) const { return lambda_[first_constraint_row_ + static_cast<std::size_t>(row)]; }
  /// The force on its body, in its coordinates, that a unit generalized force at velocity v is.
  ForceVector<double> rate_row(int v) const;
  /// Returns what the joint exerts on its body by holding the directions T, in the body's coordinates.
  ForceVector<double> joint_force(int body) const;

 private:
  struct JointRows {
    JointMotion motion;
    SplitSubspace split;
    int group = -1;     // its rows
    int armature = -1;  // rows of energy
    MotionVector<double> c;
  };
  JointRows& joint(int body) { return joints_[static_cast<std::size_t>(body)]; }
  const JointRows& joint(int body) const { return joints_[static_cast<std::size_t>(body)]; }
  /// Nodes of a group: bodies, and for each velocity the two bodies of its joint.
  GraphElimination::Group group_of(const Touches& touches, int rows, bool is_constraint) const;
  /// Adds factor * own on a body and its counterpart on the parent to a row of a group.
  void add_relative(const GraphElimination::Group& group, double* row, int body, const ForceVector<double>& own) const;
  void add_on_body(const GraphElimination::Group& group, double* row, int body, const ForceVector<double>& f) const;

  Model model_;
  std::vector<JointRows> joints_;  // entry 0 is the world
  std::vector<GraphElimination::Group> groups_;
  int first_constraint_ = 0;  // group
  std::size_t first_constraint_row_ = 0;
  struct Spring {
    Touches touches;
    std::vector<int> groups;  // one, or one for each velocity where these are separate
  };
  std::vector<Spring> springs_;
  std::unique_ptr<GraphElimination> graph_;
  std::vector<double> f_, k_, a_, lambda_;
  int repeated_ = 0, singular_body_ = -1;
  bool is_doubtful_ = false;
};

}  // namespace cardan
