// Forward dynamics of a mechanism with loops, couplings and whatever else it must obey, and the way back for states
// that have drifted from obeying.
#pragma once

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/model/state.hpp"

namespace cardan {

/// Feedback of constraint errors. On accelerations J a = k - 2 alpha (velocity error) - beta^2 (position error), Eq.
/// 8.22: with alpha = beta = 1 / T errors die out like (1 + t/T) exp(-t/T). On velocities, for methods that solve for
/// these, J v = (what it should be) - gamma (position error).
struct Baumgarte {
  double alpha = 0.0, beta = 0.0, gamma = 0.0;
  static Baumgarte with_time(double T) { return {1.0 / T, 1.0 / T, 1.0 / T}; }
};

class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(ConstraintSet set, ConstraintMethod method = ConstraintMethod::automatic);

  const Model& model() const { return set_.model(); }
  ConstraintSet& constraints() { return set_; }
  Baumgarte stabilization;

  void forward_dynamics(double t, In<double> q, In<double> v, In<double> tau, Out<double> a);
  /// The forces that hold the constraints, of the last forward_dynamics.
  const Eigen::VectorXd& multipliers() const { return lambda_; }
  /// Sets these forces, for whoever solves for them in another way.
  void set_multipliers(const Eigen::VectorXd& lambda) { lambda_ = lambda; }
  /// Rows that were independent then.
  int rank() const { return solver_->rank(); }
  /// See ConstraintSolver.
  std::string why_singular() const { return refusal_.empty() ? solver_->why_singular() : refusal_; }
  double clearance() const { return solver_->clearance(); }
  void expect_rank(int rank);
  /// What was said; -1: nothing.
  int expected_rank() const { return expected_rank_; }
  /// Call before a state far from the previous one.
  void reset();

  /// Computes by how much the state violates the worst constraint: m or rad.
  double position_error(double t, In<double> q);
  /// Moves q, and nothing heavy more than needed, until the position error is at most `enough`; false if it does not
  /// get there.
  [[nodiscard]] bool project_positions(double t, Out<double> q, double enough);
  /// Changes v as the impulses of the constraints would.
  void project_velocities(double t, In<double> q, Out<double> v);
  /// Computes the jump dv of velocities under impulses u at the joints and, where given, impulsive wrenches on the
  /// bodies (world coordinates), while the constraints hold: H dv = u + J_b' iota + J' lambda, J dv = 0 (section 11.7
  /// with the loops of chapter 8).
  void impulse_response(double t, In<double> q, In<double> u, Out<double> dv,
                        std::span<const ForceVector<double>> impulses = {});
  /// The impulses that held the constraints in the last impulse_response or project_velocities.
  const Eigen::VectorXd& impulses() const { return impulse_; }

 private:
  /// Looks at the pivots of the last solution. Where the tree alone has a mass matrix that is singular or nearly so
  /// (point masses and massless bodies in loops), the automatic method goes on by the sparse one, which tells those
  /// that are determined by their loops from those that are not: true, the state is to be solved again. Other methods
  /// refuse where nothing but rounding would be left.
  bool choose_again();
  /// Solves for a motion at rest that meets the rows k_.
  void correct(In<double> q);

  ConstraintSet set_;
  ConstraintMethod method_;
  std::unique_ptr<ConstraintSolver> solver_;
  std::unique_ptr<ConstraintSolver> quick_;  // of the automatic method, while the sparse one solves
  int expected_rank_ = -1;
  std::string refusal_;  // of the last state
  Workspace<double> workspace_;
  Eigen::VectorXd force_, k_, change_, lambda_, impulse_;
  std::vector<double> at_rest_;
};

}  // namespace cardan
