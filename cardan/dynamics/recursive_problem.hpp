// The equations of a system in joint coordinates, H a = f + J' lambda, for integrators: forces act through J' w by
// recursions in linear time, constraints through multipliers. Without constraints, forward dynamics runs as code
// compiled for the model.
#pragma once

#include "cardan/algorithms/given.hpp"
#include "cardan/compile/compiled_model.hpp"
#include "cardan/constraints/constraint_tangent.hpp"
#include "cardan/dynamics/element_tangent.hpp"
#include "cardan/dynamics/force_tangent.hpp"
#include "cardan/dynamics/loads.hpp"
#include "cardan/dynamics/mechanism.hpp"
#include "cardan/dynamics/model_space.hpp"
#include "cardan/dynamics/system.hpp"
#include "cardan/dynamics/system_code.hpp"
#include "cardan/dynamics/tree_equations.hpp"

namespace cardan {

class RecursiveProblem : public Problem, public Mechanism {
 public:
  /// `model` is the system's, or one that differs from it in the charts of its joints only.
  RecursiveProblem(const System& system, const Model& model)
      : RecursiveProblem(system, model, system.settings().code) {}

  const System& system() const { return system_; }
  const Model& model() const { return model_; }
  bool is_compiled() const { return compiled_ != nullptr || code_.motion != nullptr; }
  /// Loops, couplings and prescribed motions where they are solved by multipliers; else null.
  ConstrainedDynamics* constraints() { return constrained_.get(); }

  const StateSpace& space() const override { return space_; }
  /// Joints whose position is prescribed are taken to be where it says at t, whatever q and v are.
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  /// The same by the generic algorithms, which leave the multipliers in constraints().
  void acceleration_and_multipliers(const Point& at, Out<double> a, Out<double> z_dot);
  void rates(const Point& at, Out<double> z_dot) override;
  int rows() const override { return constrained_ ? constrained_->constraints().rows() : 0; }
  void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error) override;
  /// Exact, but for forces written in C++ for numbers alone.
  void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override;
  void linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) override;
  /// The same with other rates of states (ElementTangent::Rates).
  void linearize_states(const Point& at, const ElementTangent::Rates& rates, StateTangent& out);
  /// Sets K and D of bodies and forces at this very state, whatever motions or constraints say, at constant
  /// accelerations.
  void tangent(const Point& at, In<double> a, Implicit implicit, Eigen::MatrixXd& K, Eigen::MatrixXd& D);
  /// Sets how forces and the states of elements depend on these states and on inputs, at this very state.
  void element_tangent(const Point& at, const ElementTangent::Rates& rates, StateTangent& out);
  /// Derivatives of f by generalized forces, as linearize() writes the equations: one, or where joints are driven what
  /// the others answer with.
  Eigen::MatrixXd force_response();
  /// Which derivatives of forces a linearization has, as the settings say.
  ImplicitForces implicit_forces(Implicit implicit) const;
  [[nodiscard]] Projection project(double t, State& state) override;
  bool reparameterize(State& state) override { return space_.reparameterize(state); }
  int singular_velocity(const Point& at) override { return equations_.singular_velocity(at.q); }
  std::string explain(const Point& at) override;

  Mechanism* mechanism() override;
  const Model& tree() const override { return tree_; }
  /// Adds up springs, dampers and applied forces as generalized forces.
  void generalized_forces(const Point& at, Out<double> tau) override;
  double joint_damping(int k) const override { return model_.dof(k).damping; }
  int constraint_rows() const override { return rows(); }
  void evaluate_constraints(double t, In<double> q, Eigen::VectorXd& gap, Eigen::MatrixXd& J) override;
  std::vector<int> driven_bodies() const override;
  /// Puts the joints whose position is prescribed where they are at t, and closes the loops.
  void follow(double t, State& state) override;
  /// See SystemWorkspace::jump.
  void jump(double t, State& state);
  /// Computes what the prescribed motions of joints take, at the velocities that they drive (N or N m); zero elsewhere.
  void driving_forces(const Point& at, Out<double> tau);
  /// Computes what holds and drives the mechanism while it accelerates by a.
  void loads(const Point& at, In<double> a, Loads& out);
  /// Computes the same where contacts act too: with the multipliers of all constraints, and wrenches on the bodies in
  /// world coordinates.
  void loads(const Point& at, In<double> a, const Eigen::VectorXd& multipliers,
             std::span<const ForceVector<double>> wrenches, Loads& out);
  enum class Look { where_due, all };
  /// Lets the forces look (Force::sample) that do so at this time, or all that look at all.
  void sample(double t, State& state, Look look = Look::where_due);
  /// Evaluates what texts would choose.
  void look_at(const Point& at, SwitchBoard& switches);
  Energy energy(const Point& at);

 protected:
  /// `code`: generic where accelerations are computed by the derived class.
  RecursiveProblem(const System& system, const Model& model, Settings::Code code);
  /// Solves for the accelerations of all joints under generalized forces, with constraints; no motion is given. Springs
  /// that are part of the code are not in tau.
  virtual void accelerate(const Point& at, In<double> tau, Out<double> a);

 private:
  /// Compiles the whole system where that is possible, else its tree where nothing constrains it; once.
  void compile_system(const Point& at);
  void compile_tree();
  /// Adds up all forces from number `first` on as generalized forces.
  void sum_forces(const Point& at, std::size_t first, Out<double> tau);
  /// Evaluates the kinematics.
  Instant evaluate(const Point& at) { return kinematics_.at(at.t, at.q, at.v, at.z, system_.u()); }
  /// Where forces have just been summed up.
  Instant as_evaluated(const Point& at) { return kinematics_.as_evaluated(at.t, at.q, at.v, at.z, system_.u()); }
  void rates(const Instant& at, Out<double> z_dot) const;
  Instant instant_of(std::size_t force, const Instant& at) const;
  void finish_loads(const Point& at, In<double> a, std::span<const ForceVector<double>> others, Loads& out);
  /// Sets what prescribed motions of joints take from the multipliers; zero elsewhere.
  void motion_multipliers(Out<double> tau) const;
  /// Adds J' lambda in linear time; the constraints have been evaluated.
  void add_constraint_forces(In<double> q, In<double> lambda, Out<double> tau);
  /// Adds the forces of the constraints on bodies; the constraints have been evaluated.
  void add_constraint_wrenches(In<double> lambda, std::span<ForceVector<double>> wrenches) const;
  /// Computes J a - k in linear time; the constraints have been evaluated.
  void row_accelerations(In<double> q, In<double> a, Out<double> out);
  void linearize_rows(const Point& at, In<double> a, In<double> lambda, const Want& want);
  void linearize_driven(const Point& at, const Want& want);
  /// Sets state_ to where the motions of joints lead.
  void lead(const Point& at);
  std::vector<int> free_velocities() const;
  Eigen::MatrixXd free_response(const Eigen::MatrixXd& forces, bool of_velocities);
  void driven_accelerations(double t, Out<double> a) const;
  Eigen::VectorXd row_target() const;

  System system_;
  Model model_;
  Model tree_;  // with machine code for invented joints, where there is a mechanism to move variationally
  TreeEquations equations_;
  ModelSpace space_;
  StateKinematics kinematics_;
  bool forces_on_bodies_ = false;
  bool leads_ = false;  // motions are prescribed
  std::vector<ForceVector<double>> wrenches_;
  std::vector<MotionVector<double>> motions_;
  std::vector<double> tau_, applied_;
  const std::vector<double> no_forces_;
  std::unique_ptr<ForceTangent> tangent_;  // made when first needed, as is the next
  std::unique_ptr<ConstraintTangent> constraint_tangent_;
  std::unique_ptr<ElementTangent> element_tangent_;
  std::unique_ptr<ConstrainedDynamics> constrained_;
  std::shared_ptr<const CompiledModel> compiled_;
  std::unique_ptr<CompiledWorkspace> compiled_workspace_;
  std::size_t springs_in_code_ = 0;  // as many forces, the first ones, are part of it
  bool may_compile_system_ = false;  // and it was not tried yet
  CompiledSystem code_;

  // for joints whose motion is prescribed
  State state_;
  std::vector<Given> given_;
};

}  // namespace cardan
