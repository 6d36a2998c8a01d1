// The quantities of `cardan eval`, each as JSON, at one state after the other.
#pragma once

#include "apps/evaluate.hpp"
#include "apps/formulated_dynamics.hpp"
#include "cardan/collision/collision_world.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/contact/internal/contact_modes.hpp"
#include "cardan/dynamics/linearization.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace cardan::command {

class Evaluator {
 public:
  Evaluator(const Scene& scene, const EvalRequest& request, Couplings couplings);

  /// Computes everything that quantities share at one state.
  void set(const EvalState& s, const std::string& where);
  /// Throws where the mass matrix of the tree is singular; with constraints, the direct method may still solve.
  void require_regular_inertia(const std::string& where);
  /// Says what is singular though the loops hold; empty: nothing.
  std::string singular() const { return formulated_ ? formulated_->why_singular() : constrained_.why_singular(); }
  bool is_constrained() { return constrained_.constraints().size() > 0; }
  bool has_contact() const { return modes_.has_value(); }
  /// Writes a quantity; `frame`: of those that are of a frame.
  std::string operator()(Quantity quantity, int frame);
  /// Writes what a compiled function has computed.
  std::string show(Quantity quantity, const std::vector<double>& result) const;

 private:
  /// Returns the state without those of force elements.
  State bare() const {
    State out;
    out.q = state_->q;
    out.v = state_->v;
    return out;
  }
  void accelerate();
  /// Computes accelerations under these generalized forces, into out_.
  void accelerate_under(const std::vector<double>& tau);
  void accelerate_with_contact(const std::vector<double>& tau);
  std::string contact_forces();
  std::string constraint_forces();
  std::string multipliers(const Eigen::VectorXd& all);
  std::string impulse_response(int frame);
  std::string constraint_error();
  std::string distances(bool touching);
  std::string records();
  std::string equilibrium() const;
  std::string paths();

  enum class Acting { bodies, forces };  // gravity and constraints always
  /// Linearizes about the acceleration of the state, under tau beside what acts.
  Linearization linearized(Acting acting);
  std::string inverse_dynamics_derivatives();
  std::string forward_dynamics_derivatives();
  std::string linearization();
  std::string drive_forces();
  /// Throws where `a` of the state breaks a constraint.
  void require_allowed();

  const Model& model_;
  const Scene& scene_;
  const ContactRules& contact_;
  std::optional<CollisionWorld> world_;
  ConstrainedDynamics constrained_;
  std::optional<FormulatedDynamics> formulated_;  // where another formulation is asked for
  std::optional<ContactModes> modes_;             // where contacts act
  std::vector<LawUnit> contacts_;                 // that touch
  std::string where_;                             // for messages
  std::vector<double> u_;                         // inputs, of the state
  RecursiveProblem forces_, passive_;             // with actuators, and without
  bool forces_act_;
  std::vector<int> drives_;
  Workspace<double> w_;
  Kinematics<double> k_;
  std::vector<double> out_, applied_;  // applied_: zero unless forces act
  Eigen::MatrixXd H_, J_;
  const EvalState* state_ = nullptr;
  State elements_;  // the same state, with the states of force elements
};

}  // namespace cardan::command
