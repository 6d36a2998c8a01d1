// A model and everything that acts on it, ready to be integrated.
#pragma once

#include "cardan/algorithms/given.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/compile/compiled_model.hpp"
#include "cardan/constraints/assembly.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/integrate/model_dynamics.hpp"
#include "cardan/model/state.hpp"
#include "cardan/simulate/joint_springs.hpp"
#include "cardan/simulate/loads.hpp"

#include <Eigen/Dense>

#include <memory>

namespace cardan {

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // J
  double total() const { return kinetic + potential; }
};

struct SystemOptions {
  enum class Code { compiled_where_possible, generic };
  Code code = Code::compiled_where_possible;
  ConstraintMethod method = ConstraintMethod::automatic;
  /// Couplings of the model (mimic joints) hold; else their joints move on their own.
  bool couplings = true;
};

/// Gravity, springs and dampers of the joints, applied forces, prescribed motions, loops and couplings. Without the
/// last three, forward dynamics runs as code compiled for the model. The model must outlive it. Not to be shared
/// between threads.
class System : public Dynamics {
 public:
  using Code = SystemOptions::Code;

  /// Throws std::invalid_argument on loads that do not fit the model.
  explicit System(const Model& model, Loads loads = {}, const SystemOptions& options = {});
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const Model& model() const override { return model_; }
  const Loads& loads() const { return loads_; }
  bool is_compiled() const { return compiled_ != nullptr; }
  /// Whether kinetic and potential energy add up to a constant.
  bool is_conservative() const;

  /// Loops, couplings and prescribed motions of a mechanism that has loops, couplings or moved bodies; else null.
  ConstrainedDynamics* constraints() { return constrained_.get(); }
  /// A state nearby that obeys the constraints at t. Without constraints, the state itself.
  Assembly assemble(double t, const State& state, const KeptJoints& kept = {});
  /// To be called with the state where a simulation begins: obeys from then on. Throws std::runtime_error, one line,
  /// where that cannot be.
  void begin(double t, State& state);
  /// Distance (m) or angle (rad) by which the worst constraint is violated.
  double constraint_error(double t, const State& state);

  /// Joints whose position is prescribed are taken to be where it says at t, whatever q and v are.
  void acceleration(double t, In<double> q, In<double> v, Out<double> a) override;
  /// Exact but for the forces of joints and loads, unless motions are prescribed: then by differences.
  void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                 OutMatrix<double> D) override;
  bool correct(double t, State& state) override;
  int velocity_rows() const override { return constrained_ ? constrained_->constraints().rows() : 0; }
  void velocity_constraints(double t, In<double> q, In<double> v, OutMatrix<double> G, Out<double> g) override;
  void linearize_freely(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                        OutMatrix<double> D) override;
  /// Of springs, dampers and applied forces, as forces at the joints.
  void generalized_forces(double t, In<double> q, In<double> v, Out<double> tau);
  /// Puts the joints whose position is prescribed where they are at t, and closes the loops.
  void follow(double t, State& state);
  /// What the prescribed motions take, at the velocities that they drive (N or N m); zero at all others.
  void driving_forces(double t, In<double> q, In<double> v, Out<double> tau);
  /// Potential: of gravity, zero at the world's origin, and of the joints' springs.
  Energy energy(const State& state);

 private:
  void check() const;
  void add_constraints(const SystemOptions& options);
  void add_motion_multipliers(Out<double> tau);
  void add_applied_forces(double t, In<double> q, Out<double> tau);
  void set_state(double t, In<double> q, In<double> v);
  void prescribed_accelerations(double t, Out<double> a);

  const Model& model_;
  Loads loads_;
  JointSprings springs_;
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  std::shared_ptr<const CompiledModel> compiled_;
  std::unique_ptr<CompiledWorkspace> compiled_workspace_;
  std::unique_ptr<ModelDynamics> linearized_;  // made when first needed
  std::vector<double> tau_, applied_;          // tau_: at all joints, those that motions take included
  std::unique_ptr<ConstrainedDynamics> constrained_;
  std::vector<ForceVector<double>> body_force_;  // in the bodies' coordinates; empty where none acts

  // for prescribed motions
  State state_;
  std::vector<int> driven_;  // velocities
  std::vector<Given> given_;
  Eigen::VectorXd acting_;
};

}  // namespace cardan
